import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MIB } from "#domain/units.ts";
import { layOutZip } from "#domain/zip.ts";
import { servicesFor } from "#worker/services.ts";
import { removeOwnEntry } from "#worker/transfers/remove-entry.ts";
import { finishWipes } from "#worker/transfers/wipe.ts";
import { faultyEnv, LOST_ANSWER, LOST_REQUEST, strike, STORE_ERROR } from "../support/faults.ts";
import { wrapMethods } from "../support/query-interceptor.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { listOf, storedIn } from "../support/transfer-lists.ts";
import { batch, finish, putObject, sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, Client, logInAdmin, patternBytes, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

/** 5, 6 and 4 bytes in one pack, and an empty file. */
const FILES = [
  textFile("a.txt", "first"),
  textFile("b.txt", "second"),
  textFile("c.txt", "last"),
  textFile("empty.txt", ""),
];

const services = servicesFor(env);

interface Row {
  status: string;
  etag: string;
  size: number;
  zip_size: number;
  entry_count: number;
  deleted_at: number | null;
  s3_deleted_at: number | null;
}

const rowOfFile = (id: string) => rowOf<Row>("select * from files where id = ?", id);

async function countOf(table: string, id: string): Promise<number> {
  return (await rowOf<{ n: number }>(`select count(*) as n from ${table} where file_id = ?`, id)).n;
}

async function packOf(id: string, object = "00000"): Promise<string | null> {
  return (await (await env.BUCKET.get(`files/${id}/${object}`))?.text()) ?? null;
}

const removeEntry = (client: Client, id: string, n: number | string) => client.delete(`/api/files/${id}/entries/${n}`);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("removing one file of a transfer", () => {
  it("takes it out of list and ZIP, and overwrites its bytes with zeros in the pack", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES, { title: "Trip", message: "Hello" });
    const before = await rowOfFile(uploadId);
    const object = await env.BUCKET.head(`files/${uploadId}/00000`);
    const [status, answer] = await answerOf(removeEntry(person, uploadId, 1));
    expect([status, answer]).toMatchObject([
      200,
      { id: uploadId, downloadId, filename: "Trip.zip", title: "Trip", message: "Hello", size: 9, entries: 3 },
    ]);
    expect(await packOf(uploadId)).toBe("first\0\0\0\0\0\0last");
    expect((await env.BUCKET.head(`files/${uploadId}/00000`))?.httpMetadata).toEqual(object?.httpMetadata);

    const entries = await listOf(uploadId);
    expect(entries.map(({ removedAt }) => removedAt !== null)).toEqual([false, true, false, false]);
    const zip = await layOutZip(entries.filter(({ removedAt }) => removedAt === null));
    const row = await rowOfFile(uploadId);
    expect([`"${row.etag}"`, row.zip_size, row.entry_count, row.size]).toEqual([zip.etag, zip.size, 3, 9]);
    expect(row.etag).not.toBe(before.etag);
    expect(await countOf("entry_wipes", uploadId)).toBe(0);
  });

  it("is idempotent", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    const first = await answerOf(removeEntry(person, uploadId, 1));
    const row = await rowOfFile(uploadId);
    expect(await answerOf(removeEntry(person, uploadId, 1))).toEqual(first);
    expect(await rowOfFile(uploadId)).toEqual(row);
  });

  it("deletes an object of its own, and keeps the month's total", async () => {
    const person = await signUp();
    const large = { ...textFile("video.bin"), bytes: patternBytes(17 * MIB) };
    const small = textFile("a.txt", "first");
    const open = [
      { object: 0, runs: [[0, 1]] },
      { object: 1, runs: [[1, 1]] },
    ];
    const started = await startTransfer(person, [large, small], { open });
    const receipts = [...(await putObject(started, 0, large.bytes)), ...(await putObject(started, 1, small.bytes))];
    expect((await finish(person, started.downloadId, receipts)).status).toBe(200);
    const month = "select monthly_upload_total as bytes from users where id = ?";
    const before = await rowOf(month, person.id);
    expect((await removeEntry(person, started.uploadId, 0)).status).toBe(200);
    expect(await storedKeys(`files/${started.uploadId}/`)).toEqual([`files/${started.uploadId}/00001`]);
    expect(await rowOfFile(started.uploadId)).toMatchObject({ size: 5, entry_count: 1 });
    expect(await rowOf(month, person.id)).toEqual(before);
  });

  it("deletes a pack with its last file", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    for (const n of [0, 1]) await removeEntry(person, uploadId, n);
    expect(await packOf(uploadId)).toBe("\0\0\0\0\0\0\0\0\0\0\0last");
    expect((await removeEntry(person, uploadId, 2)).status).toBe(200);
    expect(await storedKeys(`files/${uploadId}/`)).toEqual([]);
    expect(await rowOfFile(uploadId)).toMatchObject({ status: "ready", size: 0, entry_count: 1, deleted_at: null });
  });

  it("ends the transfer with its last file", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES.slice(0, 2));
    await removeEntry(person, uploadId, 0);
    const ended = await answerOf(removeEntry(person, uploadId, 1));
    expect(ended).toMatchObject([200, { id: uploadId, entries: 0, size: 0, isExpired: true }]);
    expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(410);
    expect(await storedKeys(`files/${uploadId}/`)).toEqual([]);
    expect(await storedIn(uploadId)).toEqual([]);
    expect((await rowOfFile(uploadId)).s3_deleted_at).not.toBeNull();
    expect(await answerOf(removeEntry(person, uploadId, 1))).toEqual(ended);
    expect((await removeEntry(await signUp(), uploadId, 1)).status).toBe(404);
  });

  it("removes each of several files that are removed at the same time", async () => {
    const person = await signUp();
    const files = Array.from({ length: 12 }, (_, n) => textFile(`${n}.txt`, "x"));
    const { uploadId } = await sendTransfer(person, files);
    const statuses = await Promise.all(Array.from({ length: 11 }, (_, n) => removeEntry(person, uploadId, n)));
    expect(statuses.map(({ status }) => status)).toEqual(Array(11).fill(200));
    await finishWipes(services);
    expect(await packOf(uploadId)).toBe(`${"\0".repeat(11)}x`);
    const zip = await layOutZip((await listOf(uploadId)).filter(({ removedAt }) => removedAt === null));
    const row = await rowOfFile(uploadId);
    expect([`"${row.etag}"`, row.entry_count, row.size]).toEqual([zip.etag, 1, 1]);
    expect(await countOf("entry_wipes", uploadId)).toBe(0);
  });

  it("holds at most 48 MiB in memory, three packs, when files of several packs are removed at the same time", async () => {
    const person = await signUp();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await sendTransfer(person, FILES)).uploadId);
    let [open, mostOpen] = [0, 0];
    const threeAreOpen = Promise.withResolvers<undefined>();
    const bucket = wrapMethods(env.BUCKET, (name, call) => async (...args) => {
      open += Number(name === "get");
      mostOpen = Math.max(mostOpen, open);
      if (open === 3) threeAreOpen.resolve(undefined);
      await threeAreOpen.promise;
      const answer = await call(...args);
      open -= Number(name === "put");
      return answer;
    });
    const owner = { kind: "account", userId: person.id, plan: "free" } as const;
    await Promise.all(ids.map((id) => removeOwnEntry({ ...services, bucket }, owner, id, 0, Date.now())));
    expect(mostOpen).toBe(3);
    await finishWipes(services);
    for (const id of ids) expect(await packOf(id)).toBe("\0\0\0\0\0secondlast");
  });

  it("is done once when the database's answer is lost", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    const { fate, struck } = strike(1, LOST_ANSWER, (call) => call.includes('insert into "entry_wipes"'));
    const owner = { kind: "account", userId: person.id, plan: "free" } as const;
    const faulty = servicesFor(faultyEnv(env, fate, () => null));
    expect(await removeOwnEntry(faulty, owner, uploadId, 0, Date.now())).toMatchObject({ entries: 3, size: 10 });
    expect(struck).toHaveLength(1);
    await finishWipes(services);
    expect(await packOf(uploadId)).toBe("\0\0\0\0\0secondlast");
  });

  it("takes the file out of the list at once when the database fails, and the alarm does the rest", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES);
    const { fate } = strike(100, LOST_REQUEST, (call) => call.includes('insert into "entry_wipes"'));
    const faulty = clientFrom(
      "192.0.2.1",
      faultyEnv(env, fate, () => null),
      person.cookie,
    );
    expect(await answerOf(removeEntry(faulty, uploadId, 1))).toMatchObject([503, { code: "STORAGE_UNAVAILABLE" }]);
    const content = `/api/files/download/${downloadId}/entries/1/content`;
    expect((await new Client().fetch(content)).status).toBe(410);
    expect(await rowOfFile(uploadId)).toMatchObject({ size: 15, entry_count: 4 });

    const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId));
    await evictDurableObject(stub);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await rowOfFile(uploadId)).toMatchObject({ size: 9, entry_count: 3 });
    await finishWipes(services);
    expect(await packOf(uploadId)).toBe("first\0\0\0\0\0\0last");
    expect((await new Client().fetch(`/api/files/download/${downloadId}/content`)).status).toBe(200);
  });

  it("leaves the bytes to the cron while storage does not answer", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    const bucket = wrapMethods(env.BUCKET, (name, call) =>
      name === "put" ? () => Promise.reject(new Error(STORE_ERROR.message)) : call,
    );
    vi.spyOn(console, "error").mockReturnValue();
    const owner = { kind: "account", userId: person.id, plan: "free" } as const;
    await removeOwnEntry({ ...services, bucket }, owner, uploadId, 0, Date.now());
    expect(await packOf(uploadId)).toBe("firstsecondlast");
    expect(await countOf("entry_wipes", uploadId)).toBe(1);
    expect(await finishWipes({ ...services, bucket })).toBe(0);
    expect(await finishWipes(services)).toBe(1);
    expect(await packOf(uploadId)).toBe("\0\0\0\0\0secondlast");
    expect(await finishWipes(services)).toBe(0);
  });

  it("is possible while the transfer uploads", async () => {
    const person = await signUp();
    const started = await startTransfer(person, FILES);
    expect((await removeEntry(person, started.uploadId, 0)).status).toBe(200);
    // A sender that has not heard of it yet may still put the file in a pack.
    const opened = await batch(person, started.downloadId, { open: [{ object: 0, runs: [[0, 3]] }] });
    expect(opened.received).toEqual([{ object: 0, parts: [], runs: [[0, 3]] }]);
    expect(opened.stored).toEqual([[3, 1]]);
  });

  it.each([
    ["4", 400, "There is no file 4."],
    ["-1", 400, null],
    ["x", 400, null],
  ])("answers the entry %s with %i", async (n, status, message) => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    const [answered, answer] = await answerOf(removeEntry(person, uploadId, n));
    expect(answered).toBe(status);
    if (message !== null) expect(answer.message).toBe(message);
  });

  it("is 404 once the transfer was deleted", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES.slice(0, 1));
    expect((await person.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect((await removeEntry(person, uploadId, 0)).status).toBe(404);
  });

  it("is up to the owner, of a transfer whose link works", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES);
    expect((await removeEntry(await signUp(), uploadId, 0)).status).toBe(404);
    expect((await removeEntry(new Client(), uploadId, 0)).status).toBe(401);
    const single = await sendFile(person, "hello");
    expect(await answerOf(removeEntry(person, single.uploadId, 0))).toMatchObject([400, { code: "BAD_REQUEST" }]);
    await runSql("update files set expires_at = 1 where id = ?", uploadId);
    expect(await answerOf(removeEntry(person, uploadId, 0))).toMatchObject([410, { code: "FILE_EXPIRED" }]);
    expect(await packOf(uploadId)).toBe("firstsecondlast");
  });
});

describe("changing a transfer", () => {
  const change = (client: Client, id: string, body: unknown) =>
    client.fetch(`/api/files/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("changes title and message, also while it uploads", async () => {
    const person = await signUp();
    for (const { uploadId } of [await startTransfer(person, FILES), await sendTransfer(person, FILES)]) {
      expect(await answerOf(change(person, uploadId, { filename: "Trip", message: "Hello" }))).toMatchObject([
        200,
        { filename: "Trip.zip", title: "Trip", message: "Hello", entries: 4 },
      ]);
      expect(await answerOf(change(person, uploadId, { message: "" }))).toMatchObject([200, { message: null }]);
      expect(await rowOf("select filename, message from files where id = ?", uploadId)).toEqual({
        filename: "Trip",
        message: null,
      });
    }
  });

  it("changes the expiry only once it is ready", async () => {
    const person = await signUp();
    const { uploadId } = await startTransfer(person, FILES);
    expect(await answerOf(change(person, uploadId, { expiration: "1d" }))).toMatchObject([
      409,
      { code: "UPLOAD_UNFINISHED" },
    ]);
  });

  it("refuses a message for a single file", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    expect(await answerOf(change(person, uploadId, { message: "Hello" }))).toMatchObject([
      400,
      { code: "BAD_REQUEST", message: "Only a transfer of many files has a message." },
    ]);
  });

  it("lists how many files a transfer has, and its message", async () => {
    const person = await signUp();
    await sendFile(person, "hello");
    await sendTransfer(person, FILES, { title: "Trip", message: "Hello" });
    const files = await (await person.fetch("/api/files")).json<Record<string, unknown>[]>();
    expect(files.map(({ filename, entries, message }) => [filename, entries, message]).sort()).toEqual([
      ["Trip.zip", 4, "Hello"],
      ["a file.txt", undefined, undefined],
    ]);
  });
});

describe("a report of one file of a transfer", () => {
  it("names the file, which has to exist", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES);
    const report = (id: string, entry: number) =>
      new Client().post(`/api/files/download/${id}/report`, { reason: "malware", entry });
    expect((await report(downloadId, 2)).status).toBe(201);
    expect(await answerOf(report(downloadId, 4))).toMatchObject([400, { message: "There is no file 4." }]);
    const single = await sendFile(person, "hello");
    expect((await report(single.downloadId, 0)).status).toBe(400);
    const reports = await (await logInAdmin()).fetch("/api/admin/reports");
    const found = (await reports.json<{ entry: number | null; file: { id: string } }[]>()).filter(
      ({ file }) => file.id === uploadId,
    );
    expect(found.map(({ entry }) => entry)).toEqual([2]);
  });
});
