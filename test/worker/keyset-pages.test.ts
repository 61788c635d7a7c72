import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readCursor, writeCursor } from "#domain/paging.ts";
import type { AdminFile, AdminUser, FilesPage, Paged } from "#domain/wire.ts";
import { read } from "../support/admin.ts";
import { recordQueryCost } from "../support/query-cost.ts";
import { Client, logInAdmin, putOnPlan, runSql, sendFile, signUp } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

/** Files f1, f2, …: names, sizes and moments repeat, and every fifth never expires. Every third was received. */
async function addFiles({ id }: Person, count: number): Promise<void> {
  await runSql(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
     insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, etag,
       expiration, created_at, uploaded_at, expires_at, reserved_period_start, abandon_at, request_id)
     select hex(randomblob(16)), ?1, iif(i % 2, 'F', 'f') || (i % 40), 'f', i % 50, 'text/plain', hex(randomblob(16)),
       hex(randomblob(16)), 'uploading', 'e', '3d', i, i / 3, iif(i % 5, 4102444800000 + i % 60, null), 0, 0,
       iif(i % 3, null, 'request') from n`,
    id,
    count,
  );
  await runSql("update files set status = 'ready' where user_id = ?", id);
}

describe("the pages of a list", () => {
  let person: Person;
  beforeAll(async () => {
    person = await signUp();
    await addFiles(person, 375);
  });

  const SORTED = {
    newest: "uploaded_at desc, rowid desc",
    oldest: "uploaded_at, rowid",
    name: "filename collate nocase, rowid",
    largest: "size desc, rowid desc",
    expiry: "expires_at is null, expires_at, rowid",
  };

  it.each(Object.entries(SORTED))("by %s follow each other without a gap, in both directions", async (sort, sorted) => {
    const { results } = await env.DB.prepare(
      `select id from files where user_id = ? and request_id is null order by ${sorted}`,
    )
      .bind(person.id)
      .all<{ id: string }>();
    const expected = results.map(({ id }) => id);
    expect(expected).toHaveLength(250);
    const pages: FilesPage[] = [await read<FilesPage>(person, `/api/files?sort=${sort}`)];
    for (let { next } = pages[0] ?? expect.unreachable(); next !== null; next = pages.at(-1)?.next ?? null) {
      pages.push(await read<FilesPage>(person, `/api/files?sort=${sort}&cursor=${next}`));
    }
    expect(pages.flatMap(({ files }) => files.map(({ id }) => id))).toEqual(expected);
    expect(pages.map(({ page, pages: count, total }) => [page, count, total])).toEqual([
      [1, 3, 250],
      [2, 3, 250],
      [3, 3, 250],
    ]);
    const second = await read<FilesPage>(person, `/api/files?sort=${sort}&cursor=${pages[2]?.previous}`);
    expect(second).toEqual(pages[1]);
    const first = await read<FilesPage>(person, `/api/files?sort=${sort}&cursor=${second.previous}`);
    expect(first).toEqual(pages[0]);
    expect(first.previous).toBeNull();
  });

  it("by number have the same cursors", async () => {
    const byNumber = await read<FilesPage>(person, "/api/files?page=2");
    const { next } = await read<FilesPage>(person, "/api/files?page=1");
    expect(await read<FilesPage>(person, `/api/files?cursor=${next}`)).toEqual(byNumber);
  });

  it("of a search follow each other, too", async () => {
    const first = await read<FilesPage>(person, "/api/files?q=F1&sort=name");
    expect([first.files.length, first.total, first.pages]).toEqual([71, 71, 1]);
    expect([first.next, first.previous]).toEqual([null, null]);
    const all = await read<FilesPage>(person, "/api/files?q=f&sort=name");
    const second = await read<FilesPage>(person, `/api/files?q=f&sort=name&cursor=${all.next}`);
    expect([second.page, second.total, second.files.length]).toEqual([2, 250, 100]);
  });

  it("stay where they are when files come and go", async () => {
    const owner = await signUp();
    await addFiles(owner, 315);
    const first = await read<FilesPage>(owner, "/api/files?page=1");
    const second = await read<FilesPage>(owner, `/api/files?cursor=${first.next}`);
    await owner.delete(`/api/files/${first.files[3]?.id}`);
    await sendFile(owner, "new");
    const again = await read<FilesPage>(owner, `/api/files?cursor=${first.next}`);
    expect(again.files.map(({ id }) => id)).toEqual(second.files.map(({ id }) => id));
    const before = await read<FilesPage>(owner, `/api/files?cursor=${again.previous}`);
    // The new one is in front of what is left of the first page.
    expect(before.files.map(({ filename }) => filename)[0]).toBe("a file.txt");
    expect(before.files.slice(1).map(({ id }) => id)).toEqual(
      first.files.filter((_, at) => at !== 3).map(({ id }) => id),
    );
    for (const { id } of (await read<FilesPage>(owner, "/api/files?page=3")).files)
      await owner.delete(`/api/files/${id}`);
    expect(await read<FilesPage>(owner, `/api/files?cursor=${second.next}`)).toMatchObject({
      files: [],
      page: 3,
      pages: 2,
      next: null,
      previous: null,
    });
  });

  it.each([
    ["no cursor", "x"],
    ["another list's", btoa('{"page":1}').replaceAll("=", "")],
    ["a page 0", writeCursor({ page: 0, side: "after", value: 1, rowid: 1 })],
  ])("cannot be had with %s", async (_what, cursor) => {
    const response = await person.fetch(`/api/files?cursor=${cursor}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "BAD_REQUEST", message: "cursor is not a cursor. Use the one that the last page brought." },
    ]);
  });

  it("are found by a cursor that has any name", () => {
    const edge = { page: 7, side: "before", value: `"\u{1F98B}\ud83d'é\\`, rowid: 12 } as const;
    expect(readCursor(writeCursor(edge))).toEqual(edge);
    expect(writeCursor({ ...edge, value: "\u{FFFF}".repeat(255) }).length).toBeLessThan(2000);
  });

  it("of administrators go on after the rows that are counted", async () => {
    const admin = await logInAdmin();
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
       insert into users (id, email, current_period_start, current_period_end, created_at, updated_at)
       select 'listed-' || i, 'listed-' || printf('%03d', i) || '@example.com', 0, 4e15, 4000000000000 + i / 9, i from n`,
    );
    const walk = async <Item>(path: string): Promise<Paged<Item>[]> => {
      const pages = [await read<Paged<Item>>(admin, `${path}page=1`)];
      for (let { next } = pages[0] ?? expect.unreachable(); next !== null; next = pages.at(-1)?.next ?? null) {
        pages.push(await read<Paged<Item>>(admin, `${path}cursor=${next}`));
      }
      return pages;
    };
    const found = await walk<AdminUser>("/api/admin/users?q=listed-&");
    expect(found.map(({ items }) => items.length)).toEqual([100, 100, 50]);
    expect(new Set(found.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(250);
    const newest = await walk<AdminUser>("/api/admin/users?sort=newest&");
    const listed = newest.flatMap(({ items }) => items.filter(({ id }) => id.startsWith("listed-")));
    expect(listed.map(({ email }) => email)).toEqual(
      Array.from({ length: 250 }, (_, at) => `listed-${String(250 - at).padStart(3, "0")}@example.com`),
    );
    expect(Object.keys(listed[0] ?? {})).not.toContain("edgeRowid");
    await runSql("update files set expires_at = 1000 + rowid % 7 where user_id = ?", person.id);
    await runSql("update files set expires_at = null where user_id <> ?", person.id);
    const expired = await walk<AdminFile>("/api/admin/files/expired?sort=oldest&");
    const moments = expired.flatMap(({ items }) => items.map(({ expiresAt }) => String(expiresAt)));
    expect(moments).toHaveLength(375);
    expect(moments).toEqual(moments.toSorted());
  });
});

it("a page of an account with 50,000 files reads at most 150 rows [GROW-4]", async () => {
  const owner = await signUp();
  await putOnPlan(owner.email, "ultimate");
  await addFiles(owner, 50_000);
  const [admin, { cookie }] = [await logInAdmin(), owner];
  const rowsOf = async (path: string) => {
    const { DB, measure } = recordQueryCost(env.DB);
    const reader = new Client(path.startsWith("/api/admin") ? admin.cookie : cookie, workerWith({ ...env, DB }));
    const page = await read<FilesPage & Paged<AdminFile>>(reader, path);
    return { page, rows: (await measure()).rows };
  };
  for (const list of ["/api/files", `/api/admin/users/${owner.id}/files`]) {
    for (const sort of ["newest", "oldest", "name", "largest", "expiry"]) {
      const first = await rowsOf(`${list}?sort=${sort}`);
      expect(first.page.total).toBe(33_334);
      const second = await rowsOf(`${list}?sort=${sort}&cursor=${first.page.next}`);
      const third = await rowsOf(`${list}?sort=${sort}&cursor=${second.page.next}`);
      const back = await rowsOf(`${list}?sort=${sort}&cursor=${third.page.previous}`);
      const read = [first, second, third, back].map(({ rows }) => rows);
      expect(Math.max(...read), `${list} by ${sort} read ${read.join()} rows`).toBeLessThanOrEqual(150);
      expect((back.page.files ?? back.page.items).map(({ id }) => id)).toEqual(
        (second.page.files ?? second.page.items).map(({ id }) => id),
      );
    }
  }
  const received = await rowsOf("/api/received");
  expect(received.rows).toBeLessThanOrEqual(150);
});
