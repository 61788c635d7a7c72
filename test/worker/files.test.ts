import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { FILES_PER_PAGE } from "#worker/db/files.ts";
import type { FilesPage, ListedFile } from "#domain/wire.ts";
import { runSql, Client, contentPath, putOnPlan, rowOf, sendFile, signUp } from "../support/worker.ts";

async function listOf(person: Client): Promise<ListedFile[]> {
  const response = await person.fetch("/api/files");
  if (!response.ok) throw new Error(`the list answered ${response.status}`);
  return response.json();
}

function remove(person: Client, id: string): Promise<Response> {
  return person.fetch(`/api/files/${id}`, { method: "DELETE" });
}

describe("listing files", () => {
  it("the list is empty at first, and 401 without an account", async () => {
    expect(await listOf(await signUp())).toEqual([]);
    const response = await new Client().fetch("/api/files");
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ requiresAuth: true });
  });

  it("files are listed with exactly the fields the dashboard shows [ENT-15]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello", { filename: "añejo 🥃.txt" });
    await runSql("update files set uploaded_at = 1000, expires_at = 4102444800000 where id = ?", uploadId);
    expect(await listOf(person)).toEqual([
      {
        id: uploadId,
        filename: "añejo 🥃.txt",
        size: 5,
        uploadedAt: "1970-01-01T00:00:01.000Z",
        expiresAt: "2100-01-01T00:00:00.000Z",
        isExpired: false,
        downloadId,
        downloadCount: 0,
        expiration: "1d",
      },
    ]);
  });

  it("files are listed newest first, with expired but without unfinished and cancelled ones [API-10]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const names = ["first", "second", "third"];
    for (const filename of names) await sendFile(person, "x", { filename });
    await runSql("update files set uploaded_at = 3000 where filename = 'first'");
    await runSql("update files set uploaded_at = 1000, expires_at = 2000 where filename = 'second'");
    await runSql("update files set uploaded_at = 2000, expires_at = null where filename = 'third'");
    await person.startUpload(1, { filename: "unfinished" });
    const { downloadId } = await person.startUpload(1, { filename: "cancelled" });
    await person.post("/api/direct-upload/cancel", { downloadId });
    const shown = (await listOf(person)).map(({ filename, isExpired, expiresAt }) => [filename, isExpired, expiresAt]);
    expect(shown).toEqual([
      ["first", false, expect.any(String)],
      ["third", false, null],
      ["second", true, "1970-01-01T00:00:02.000Z"],
    ]);
  });

  it("users see only their own files [DASH-23]", async () => {
    const [one, other] = [await signUp(), await signUp()];
    await sendFile(one, "x", { filename: "mine" });
    await sendFile(other, "x", { filename: "theirs" });
    expect((await listOf(one)).map(({ filename }) => filename)).toEqual(["mine"]);
    expect((await listOf(other)).map(({ filename }) => filename)).toEqual(["theirs"]);
  });

  it(`a list has at most the newest ${FILES_PER_PAGE} files`, async () => {
    const person = await signUp();
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${FILES_PER_PAGE + 1})
       insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status,
         expiration, created_at, uploaded_at, etag, reserved_period_start, abandon_at)
       select 'many-' || i, (select id from users where email = ?), 'f' || i, 'f', 1, 'text/plain', 'files/many-' || i,
         'many-' || i, 'ready', 'never', i, i, 'e', 0, 0 from n`,
      person.email,
    );
    const listed = await listOf(person);
    expect(listed).toHaveLength(100);
    expect([listed[0]?.filename, listed.at(-1)?.filename]).toEqual(["f101", "f2"]);
  });
});

describe("deleting a file", () => {
  it("deleting a file ends its link, deletes its object and removes it from the list [DASH-3]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello");
    const kept = await sendFile(person, "kept");
    const response = await remove(person, uploadId);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ message: "File deleted" });
    expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(410);
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
    expect((await listOf(person)).map(({ id }) => id)).toEqual([kept.uploadId]);
    const row = await rowOf("select s3_deleted_at as gone, is_expired as expired from files where id = ?", uploadId);
    expect(row).toEqual({ gone: expect.any(Number) as number, expired: 1 });
    expect(await (await new Client().fetch(contentPath(kept.downloadId))).text()).toBe("kept");
  });

  it("only the owner can delete a file: other users get 404 and visitors 401 [API-12]", async () => {
    const owner = await signUp();
    const { uploadId, downloadId } = await sendFile(owner, "hello");
    expect((await remove(await signUp(), uploadId)).status).toBe(404);
    expect((await remove(new Client(), uploadId)).status).toBe(401);
    expect((await remove(owner, downloadId)).status).toBe(404);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
  });

  it("deleting a file again is 404, also for one of two parallel calls", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const statuses = (await Promise.all([remove(person, uploadId), remove(person, uploadId)])).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 404]);
    expect((await remove(person, uploadId)).status).toBe(404);
  });

  it("deleting an unfinished upload cancels it, for its owner only [FOL-17]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    const statusOfLink = async () => (await new Client().fetch(`/api/files/download/${downloadId}`)).status;
    expect([(await remove(await signUp(), uploadId)).status, await statusOfLink()]).toEqual([404, 200]);
    expect([(await remove(person, uploadId)).status, await statusOfLink()]).toEqual([200, 404]);
    expect(await rowOf("select status from files where id = ?", uploadId)).toEqual({ status: "cancelled" });
  });
});

describe("paging, sorting and searching files", () => {
  interface Listed {
    names: string[];
    page: number;
    pages: number;
    total: number;
  }

  async function pageOf(person: Client, query: string): Promise<Listed> {
    const response = await person.fetch(`/api/files?${query}`);
    expect(response.status).toBe(200);
    const { files, ...rest } = await response.json<FilesPage>();
    return { ...rest, names: files.map(({ filename }) => filename) };
  }

  /** Inserts files named f1, f2, …, each uploaded after the previous one. */
  async function addFiles(person: Client & { email: string }, count: number): Promise<void> {
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       insert into files (id, user_id, filename, original_filename, size, mime_type, s3_key, download_id, status, etag,
         expiration, created_at, uploaded_at, expires_at, reserved_period_start, abandon_at)
       select hex(randomblob(16)), (select id from users where email = ?2), 'f' || i, 'f' || i, 10000 - i, 'text/plain',
         hex(randomblob(16)), hex(randomblob(16)), 'uploading', 'e', '3d', i, i, 4102444800000 + i, 0, 0 from n`,
      count,
      person.email,
    );
    await runSql("update files set status = 'ready' where status = 'uploading' and etag = 'e'");
  }

  it("pages have 100 files and can be sorted in every order [DEC-5]", async () => {
    const person = await signUp();
    await addFiles(person, 250);
    await addFiles(await signUp(), 3);
    expect(await pageOf(person, "page=1")).toMatchObject({ page: 1, pages: 3, total: 250 });
    const third = await pageOf(person, "page=3");
    expect([third.names.length, third.names[0], third.names.at(-1)]).toEqual([50, "f50", "f1"]);
    const firsts = { newest: "f250", oldest: "f1", name: "f1", largest: "f1", expiry: "f1" };
    for (const [sort, first] of Object.entries(firsts)) {
      expect((await pageOf(person, `sort=${sort}`)).names[0]).toBe(first);
    }
    expect(await pageOf(person, "page=4")).toMatchObject({ names: [], page: 4, pages: 3, total: 250 });
  });

  it("search finds part of a name in any letter case and treats wildcards as text [DEC-5]", async () => {
    const person = await signUp();
    await sendFile(person, "x", { filename: "Holiday 100%.txt" });
    await sendFile(person, "x", { filename: "invoice_7.pdf" });
    expect(await pageOf(person, "q=hOLIDAY")).toMatchObject({ names: ["Holiday 100%.txt"], total: 1 });
    expect((await pageOf(person, "q=%25")).names).toEqual(["Holiday 100%.txt"]);
    expect((await pageOf(person, "q=_")).names).toEqual(["invoice_7.pdf"]);
    expect((await pageOf(person, "q=%27%20or%201%3D1%20--")).names).toEqual([]);
    expect((await pageOf(person, "q=")).total).toBe(2);
  });

  it.each(["page=0", "page=-1", "page=x", "page=1e3", "sort=password", `q=${"a".repeat(101)}`])(
    "a list with %s is 400",
    async (query) => {
      const response = await (await signUp()).fetch(`/api/files?${query}`);
      expect([response.status, await response.json()]).toMatchObject([400, { code: "BAD_REQUEST" }]);
    },
  );
});
