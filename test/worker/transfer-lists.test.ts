import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { TransferStore } from "#durable-objects/transfer/store.ts";
import { servicesFor } from "#worker/services.ts";
import { moveLists } from "#worker/sweep/lists.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { namespaceWithEnv } from "../support/durable-objects-with-env.ts";
import { faultyEnv, LOST_REQUEST, STORE_ERROR } from "../support/faults.ts";
import { interceptQueries, wrapMethods } from "../support/query-interceptor.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { listOf, putListInD1, storedIn } from "../support/transfer-lists.ts";
import { batch, finish, putObject, sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { Client, logInAdmin, putOnPlan, rowOf, runSql, signUp } from "../support/worker.ts";

const services = servicesFor(env);
const FILES = [textFile("a.txt", "first"), textFile("b.txt", "second"), textFile("c.txt", "last")];

const stubOf = (id: string) => env.TRANSFERS.get(env.TRANSFERS.idFromName(id));

async function pagesInD1(id: string): Promise<number> {
  return (await rowOf<{ n: number }>("select count(*) as n from transfer_pages where file_id = ?", id)).n;
}

async function pathsOf(downloadId: string): Promise<string[]> {
  const response = await new Client().fetch(`/api/files/download/${downloadId}/entries?from=0`);
  return (await response.json<{ entries: { path: string }[] }>()).entries.map(({ path }) => path);
}

/** The length of all values of all rows in D1, without indexes. */
async function bytesInD1(): Promise<number> {
  const { results } = await env.DB.prepare(
    `select tables.name as tableName, columns.name as columnName
       from sqlite_master as tables join pragma_table_info(tables.name) as columns
       where tables.type = 'table' and tables.name not like '\\_%' escape '\\' and tables.name not like 'sqlite%'`,
  ).all<{ tableName: string; columnName: string }>();
  const columnsOf = Map.groupBy(results, ({ tableName }) => tableName);
  let bytes = 0;
  for (const [table, columns] of columnsOf) {
    const lengths = columns.map(({ columnName }) => `coalesce(length(cast("${columnName}" as blob)), 0)`);
    bytes += (await rowOf<{ n: number }>(`select coalesce(sum(${lengths.join("+")}), 0) as n from "${table}"`)).n;
  }
  return bytes;
}

/** Ready, with its list where a former release has it. */
async function sendFormer() {
  const person = await signUp();
  const sent = await sendTransfer(person, FILES);
  await putListInD1(sent.uploadId);
  expect(await pagesInD1(sent.uploadId)).toBe(1);
  return { person, ...sent };
}

describe("the list of a ready transfer", () => {
  it("of 10,000 files adds at most 5 KB to D1 [TRF-60]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const before = await bytesInD1();
    const pathOf = (n: number) => `Photos of the summer/Day ${n % 100}/IMG_${String(n).padStart(5, "0")}.jpg`;
    const filled = textFile(pathOf(0));
    const started = await startTransfer(person, [filled], {
      totals: { entries: 10_000, bytes: filled.bytes.length },
      open: [{ object: 0, runs: [[0, 1]] }],
    });
    for (let from = 1; from < 10_000; from += 500) {
      const count = Math.min(500, 10_000 - from);
      const list = Array.from({ length: count }, (_, at) => [pathOf(from + at), 0, 0]);
      await batch(person, started.downloadId, { entries: { from, list } });
    }
    const receipts = await putObject(started, 0, filled.bytes);
    expect((await finish(person, started.downloadId, receipts)).status).toBe(200);
    expect(await listOf(started.uploadId)).toHaveLength(10_000);
    const added = (await bytesInD1()) - before;
    expect(added).toBeGreaterThan(300);
    expect(added).toBeLessThanOrEqual(5000);
  });

  it("is read with one call for the first page of its link", async () => {
    const { downloadId } = await sendTransfer(await signUp(), FILES);
    const calls: string[] = [];
    const count = (stub: object) =>
      wrapMethods(stub, (name, call) => {
        calls.push(String(name));
        return call;
      });
    const TRANSFERS = wrapMethods(env.TRANSFERS, (name, call) =>
      name === "get" ? (...args) => count(call(...args) as object) : call,
    );
    const page = await clientFrom("192.0.2.1", { ...env, TRANSFERS }).fetch(`/download/${downloadId}`);
    expect(await page.text()).toContain("b.txt");
    expect(calls).toEqual(["list"]);
  });

  it("is all that its session keeps an hour after the end", async () => {
    const { uploadId, downloadId } = await sendTransfer(await signUp(), FILES);
    await runInDurableObject(stubOf(uploadId), (_, { storage }) => {
      const store = new TransferStore(storage);
      const record = store.find() ?? expect.unreachable();
      store.save({ ...record, verification: null, settledAt: Date.now() - HOUR_MS });
    });
    await evictDurableObject(stubOf(uploadId));
    expect(await runDurableObjectAlarm(stubOf(uploadId))).toBe(true);
    expect(await storedIn(uploadId)).toEqual(["pages", "list"]);
    expect(await pathsOf(downloadId)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  it("counts when a row that was restored from before a removal has another ZIP", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES);
    const before = await rowOf<{ etag: string; size: number }>("select etag, size from files where id = ?", uploadId);
    expect((await person.delete(`/api/files/${uploadId}/entries/1`)).status).toBe(200);
    const after = await rowOf<{ etag: string }>("select etag from files where id = ?", uploadId);
    await runSql(
      "update files set etag = ?, size = ?, entry_count = 3 where id = ?",
      before.etag,
      before.size,
      uploadId,
    );
    const zip = await new Client().fetch(`/api/files/download/${downloadId}/content`);
    expect([zip.status, zip.headers.get("etag")]).toEqual([200, `"${after.etag}"`]);
    expect(await rowOf("select etag, size, entry_count from files where id = ?", uploadId)).toEqual({
      etag: after.etag,
      size: 9,
      entry_count: 2,
    });
  });
});

describe("a list that a former release wrote to D1", () => {
  it.each([
    ["listed", async ({ downloadId }) => expect(await pathsOf(downloadId)).toEqual(["a.txt", "b.txt", "c.txt"])],
    [
      "downloaded from",
      async ({ downloadId }) => {
        const response = await new Client().fetch(`/api/files/download/${downloadId}/entries/1/content`);
        expect(await response.text()).toBe("second");
      },
    ],
    [
      "downloaded as a ZIP",
      async ({ uploadId, downloadId }) => {
        const response = await new Client().fetch(`/api/files/download/${downloadId}/content`);
        const { etag } = await rowOf<{ etag: string }>("select etag from files where id = ?", uploadId);
        expect(response.headers.get("etag")).toBe(`"${etag}"`);
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(15);
      },
    ],
    [
      "removed from",
      async ({ person, uploadId, downloadId }) => {
        expect((await person.delete(`/api/files/${uploadId}/entries/1`)).status).toBe(200);
        expect(await pathsOf(downloadId)).toEqual(["a.txt", "c.txt"]);
        expect(await rowOf("select size, entry_count from files where id = ?", uploadId)).toEqual({
          size: 9,
          entry_count: 2,
        });
      },
    ],
    [
      "moderated",
      async ({ uploadId, downloadId }) => {
        const path = `/api/admin/files/${uploadId}/entries/0/take-down`;
        expect((await (await logInAdmin()).post(path, { reason: "It is malware." })).status).toBe(200);
        expect(await pathsOf(downloadId)).toEqual(["b.txt", "c.txt"]);
      },
    ],
  ] as [string, (sent: Awaited<ReturnType<typeof sendFormer>>) => Promise<void>][])(
    "is moved into the session when it is %s",
    async (_what, use) => {
      const sent = await sendFormer();
      await use(sent);
      expect(await pagesInD1(sent.uploadId)).toBe(0);
      expect((await listOf(sent.uploadId)).map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt"]);
    },
  );

  it("is moved by the cron, unless its link has ended", async () => {
    const [living, ended] = [await sendFormer(), await sendFormer()];
    await runSql("update files set expires_at = 1 where id = ?", ended.uploadId);
    expect(await moveLists(services)).toBe(2);
    expect([await pagesInD1(living.uploadId), await pagesInD1(ended.uploadId)]).toEqual([0, 0]);
    expect(await listOf(living.uploadId)).toHaveLength(3);
    expect(await storedIn(ended.uploadId)).toEqual([]);
    expect(await moveLists(services)).toBe(0);
    expect(await pathsOf(living.downloadId)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  it("is deleted with the transfer", async () => {
    const { person, uploadId } = await sendFormer();
    expect((await person.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect(await pagesInD1(uploadId)).toBe(0);
    expect(await storedIn(uploadId)).toEqual([]);
  });

  it("leaves no copy when the link ends while the list is moved", async () => {
    const { person, uploadId } = await sendFormer();
    const DB = interceptQueries(env.DB, async (queries, proceed) => {
      const answer = await proceed();
      if (queries.some(({ text }) => text.startsWith('select "entries" from "transfer_pages"'))) {
        expect((await person.delete(`/api/files/${uploadId}`)).status).toBe(200);
      }
      return answer;
    });
    const racing = { ...env, DB };
    const sessions = namespaceWithEnv(env.TRANSFERS, TransferSession, racing);
    await sessions.get(sessions.idFromName(uploadId)).move(uploadId);
    expect(await storedIn(uploadId)).toEqual([]);
  });

  it("is moved once when the database fails after the copy, and the alarm confirms it", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { uploadId, downloadId } = await sendFormer();
    const { TRANSFERS } = faultyEnv(
      env,
      (sql) => (sql.includes('delete from "transfer_pages"') ? LOST_REQUEST : null),
      () => null,
    );
    await expect(TRANSFERS.get(TRANSFERS.idFromName(uploadId)).move(uploadId)).rejects.toThrow();
    expect(await pagesInD1(uploadId)).toBe(1);
    expect(await runDurableObjectAlarm(stubOf(uploadId))).toBe(true);
    expect(await pagesInD1(uploadId)).toBe(0);
    expect(await pathsOf(downloadId)).toEqual(["a.txt", "b.txt", "c.txt"]);
  });
});

describe("a deletion that stops in the middle", () => {
  it("keeps the list until the objects are deleted", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { uploadId } = await sendTransfer(await signUp(), FILES);
    const later = () => Date.now() + 10 * DAY_MS;
    const withoutStorage = servicesFor(
      faultyEnv(
        env,
        () => null,
        (call) => (call === "delete" ? STORE_ERROR : null),
      ),
    );
    await expect(sweep(withoutStorage, later)).rejects.toThrow();
    expect(await listOf(uploadId)).toHaveLength(3);
    await sweep(services, later);
    expect([await storedKeys(`files/${uploadId}/`), await storedIn(uploadId)]).toEqual([[], []]);
  });

  it("is repeated when the list is deleted and the row does not say so", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { uploadId } = await sendTransfer(await signUp(), FILES);
    const later = () => Date.now() + 10 * DAY_MS;
    const withoutMark = servicesFor(
      faultyEnv(
        env,
        (sql) => (sql.includes('"s3_deleted_at" = ?') ? LOST_REQUEST : null),
        () => null,
      ),
    );
    await expect(sweep(withoutMark, later)).rejects.toThrow();
    expect([await storedKeys(`files/${uploadId}/`), await storedIn(uploadId)]).toEqual([[], []]);
    const deletedAt = "select s3_deleted_at is not null as isMarked from files where id = ?";
    expect(await rowOf(deletedAt, uploadId)).toEqual({ isMarked: 0 });
    await sweep(services, later);
    expect(await rowOf(deletedAt, uploadId)).toEqual({ isMarked: 1 });
  });
});
