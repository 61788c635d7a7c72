import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TransferStore } from "#durable-objects/transfer/store.ts";
import { openDatabase } from "#worker/db/client.ts";
import { servicesFor } from "#worker/services.ts";
import { removeOwnEntry } from "#worker/transfers/remove-entry.ts";
import { interceptQueries, wrapMethods } from "../support/query-interceptor.ts";
import { finish, join, putObject, sendBatch, sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, rowOf, signUp, type Client } from "../support/worker.ts";

const FILES = [textFile("a.txt", "first"), textFile("b.txt", "second"), textFile("c.txt", "third")];

/** All receipts are there; only `finish` is missing. */
async function sendUnfinished(person: Client) {
  const started = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 3]] }] });
  const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
  await sendBatch(person, started.downloadId, { receipts });
  return started;
}

/** Something happens after the first query that `matches` was answered. */
function databaseWith(happening: () => Promise<unknown>, matches: (sql: string) => boolean): D1Database {
  let isOver = false;
  return interceptQueries(env.DB, async (queries, proceed) => {
    const answer = await proceed();
    if (!isOver && queries.some(({ text }) => matches(text))) {
      isOver = true;
      await happening();
    }
    return answer;
  });
}

function entriesOf(id: string): Promise<{ status: string; entries: number }> {
  return rowOf("select status, entry_count as entries from files where id = ?", id);
}

describe("the removal of a file", () => {
  it.each(["has become ready", "is being completed"])(
    "is applied when the transfer %s meanwhile [TRF-37]",
    async (what) => {
      const person = await signUp();
      const { uploadId, downloadId } = await sendUnfinished(person);
      const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId));
      const beginCompletion = async () => {
        await runInDurableObject(stub, (_, { storage }) => {
          const store = new TransferStore(storage);
          const record = store.find();
          if (record) store.save({ ...record, phase: "completing" });
        });
        await evictDurableObject(stub);
      };
      const happening = () => (what === "has become ready" ? finish(person, downloadId) : beginCompletion());
      const services = { ...servicesFor(env), db: openDatabase(databaseWith(happening, () => true)) };
      const owner = { kind: "account", userId: person.id, plan: "free" } as const;
      expect(await removeOwnEntry(services, owner, uploadId, 1, Date.now())).toMatchObject({ entries: 2, size: 10 });
      expect(await entriesOf(uploadId)).toEqual({ status: "ready", entries: 2 });
    },
  );
});

describe("a batch with larger totals", () => {
  it("is told that the transfer has finished, when it has finished meanwhile", async () => {
    const person = await signUp();
    const { downloadId } = await sendUnfinished(person);
    const DB = databaseWith(
      () => finish(person, downloadId),
      (sql) => sql.includes('"download_id" = ?'),
    );
    const client = clientFrom("192.0.2.1", { ...env, DB }, person.cookie);
    const totals = { entries: 4, bytes: 100 };
    expect(await answerOf(sendBatch(client, downloadId, { totals }))).toEqual([
      409,
      { code: "UPLOAD_FINISHED", message: "This upload has already finished." },
    ]);
  });
});

describe("a ZIP", () => {
  it("is served while files of the transfer are removed, one before each reading of the list [TRF-37]", async () => {
    const person = await signUp();
    const files = Array.from({ length: 8 }, (_, n) => textFile(`${n}.txt`, "x"));
    const { uploadId, downloadId } = await sendTransfer(person, files);
    let removed = 0;
    const read = (stub: object) =>
      wrapMethods(stub, (name, call) => async (...args) => {
        if (name === "pages" && removed < 2) {
          await person.delete(`/api/files/${uploadId}/entries/${removed}`);
          removed += 1;
        }
        return call(...args);
      });
    const TRANSFERS = wrapMethods(env.TRANSFERS, (name, call) =>
      name === "get" ? (...args) => read(call(...args) as object) : call,
    );
    const reader = clientFrom("192.0.2.1", { ...env, TRANSFERS });
    const response = await reader.fetch(`/api/files/download/${downloadId}/content`);
    expect(response.status).toBe(200);
    const row = await rowOf<{ etag: string; size: number }>(
      "select etag, zip_size as size from files where id = ?",
      uploadId,
    );
    expect(response.headers.get("etag")).toBe(`"${row.etag}"`);
    expect((await response.arrayBuffer()).byteLength).toBe(row.size);
    expect(removed).toBe(2);
  });
});
