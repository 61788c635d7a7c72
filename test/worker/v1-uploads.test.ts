import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { Program, programOf, type StartedUpload } from "../support/v1.ts";
import {
  answerOf,
  Client,
  contentPath,
  monthlyUsage,
  patternBytes,
  putIncoming,
  putOnPlan,
  rowOf,
  sendParts,
  sha256Of,
  signUp,
} from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const DAY_MS = 86_400_000;

let person: Person;
let program: Program & { id: string };

beforeEach(async () => {
  person = await signUp();
  program = await programOf(person);
});

function start(body: Record<string, unknown> = {}, by: Program = program): Promise<StartedUpload> {
  return by.answer("/uploads", "POST", { name: "a file.txt", size: 5, ...body });
}

/** A start that is answered, whatever the status. */
function tryStart(body: Record<string, unknown>, startKey?: string, by: Program = program) {
  const headers = {
    "content-type": "application/json",
    ...(startKey !== undefined && { "idempotency-key": startKey }),
  };
  return answerOf(by.fetch("/uploads", { method: "POST", headers, body: JSON.stringify(body) }));
}

function complete(id: string, body: unknown = {}, by: Program = program) {
  return answerOf(by.post(`/uploads/${id}/complete`, body));
}

const keyUse = (id: string) => rowOf("select month_used as bytes from api_keys where id = ?", id);

describe("an upload with a key", () => {
  it("of a small file: start, PUT, complete; the link is its person's [PROG-3]", async () => {
    const { id, downloadId, link, upload, received } = await start({ expires: "1d" });
    expect({ link, upload, received }).toMatchObject({
      link: `${env.APP_ORIGIN}/download/${downloadId}`,
      upload: { kind: "put", partSize: 5, partCount: 1, headers: { "content-type": "text/plain" } },
      received: [],
    });
    expect(upload.urls).toHaveLength(1);
    await putIncoming(id, "hello");
    const [status, done] = await complete(id);
    expect([status, done]).toMatchObject([200, { id, downloadId, link, name: "a file.txt", size: 5 }]);
    expect(await complete(id)).toEqual([status, done]);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
    expect(await (await person.fetch("/api/files")).json()).toMatchObject([{ id, filename: "a file.txt" }]);
    expect(await rowOf("select api_key_id as keyId from files where id = ?", id)).toEqual({ keyId: program.id });
    const log = "select count(*) as n from upload_audit_logs where api_key_id = ?";
    expect(await rowOf(log, program.id)).toEqual({ n: 1 });
  });

  it("of a large file: in parts, whose ETags come with the last call [PROG-3]", async () => {
    const body = patternBytes(20_000_000);
    const { id, downloadId, upload } = await start({ size: body.byteLength });
    expect(upload).toMatchObject({
      kind: "parts",
      partSize: 8_388_608,
      partCount: 3,
      headers: { "content-type": "application/octet-stream" },
    });
    expect(upload.urls.map(({ part }) => part)).toEqual([1, 2, 3]);
    const signed = await program.answer(`/uploads/${id}/parts`, "POST", { parts: [2] });
    expect(signed).toMatchObject({ urls: [{ part: 2 }], received: [] });
    const receipts = await sendParts(id, body);
    const sent = await program.answer(`/uploads/${id}/parts`, "POST", { parts: [], receipts: receipts.slice(0, 2) });
    expect(sent).toMatchObject({ urls: [], received: [1, 2] });
    expect(await program.answer(`/uploads/${id}`)).toMatchObject({
      state: "uploading",
      progress: 83,
      received: [1, 2],
    });
    expect(await complete(id)).toMatchObject([422, { code: "UPLOAD_INCOMPLETE", missing: [3] }]);
    expect((await complete(id, { receipts, sha256: await sha256Of(body) }))[0]).toBe(200);
    expect(await program.answer(`/uploads/${id}`)).toMatchObject({ state: "ready", progress: 100 });
    const bytes = await (await new Client().fetch(contentPath(downloadId))).arrayBuffer();
    expect(await sha256Of(bytes)).toBe(await sha256Of(body));
  });

  it("through us, where storage is out of reach [PROG-3]", async () => {
    const { id } = await start();
    const sent = await program.fetch(`/uploads/${id}/parts/1`, {
      method: "PUT",
      headers: { "content-length": "5" },
      body: "hello",
    });
    expect([sent.status, await sent.json()]).toMatchObject([200, { part: 1 }]);
    expect((await complete(id))[0]).toBe(200);
  });

  it("is cancelled, which gives its month back [KEY-10]", async () => {
    const { id } = await start();
    expect(await keyUse(program.id)).toEqual({ bytes: 5 });
    expect((await program.fetch(`/uploads/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await program.answer(`/uploads/${id}`)).toMatchObject({ state: "cancelled" });
    expect(await keyUse(program.id)).toEqual({ bytes: 0 });
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("belongs to the key that started it, not to another of the same person [KEY-5]", async () => {
    const { id } = await start();
    const browser = await person.startUpload(5);
    const other = await programOf(person);
    for (const [by, upload] of [
      [other, id],
      [program, browser.uploadId],
    ] as const) {
      expect((await by.fetch(`/uploads/${upload}`)).status).toBe(404);
      expect((await complete(upload, {}, by))[0]).toBe(404);
      expect((await by.fetch(`/uploads/${upload}`, { method: "DELETE" })).status).toBe(404);
    }
    expect((await person.post("/api/direct-upload/cancel", { downloadId: browser.downloadId })).status).toBe(200);
  });

  it("goes on with the same file, for the key that started it alone", async () => {
    const file = { lastModified: 1_795_435_200_000, fingerprint: "a".repeat(64) };
    const first = await start(file);
    expect((await start(file)).id).toBe(first.id);
    expect((await start(file, await programOf(person))).id).not.toBe(first.id);
  });
});

describe("the checksum of a start", () => {
  it("is checked where we hash the bytes: others are discarded [PROG-5]", async () => {
    const right = await start({ sha256: HELLO });
    await putIncoming(right.id, "hello");
    expect((await complete(right.id))[0]).toBe(200);
    const wrong = await start({ sha256: HELLO });
    await putIncoming(wrong.id, "Hello");
    expect(await complete(wrong.id)).toEqual([
      422,
      { code: "CHECKSUM_MISMATCH", message: "What arrived is not what the checksum says. It was dropped." },
    ]);
    expect(await rowOf("select status from files where id = ?", wrong.id)).toEqual({ status: "failed" });
    expect(await env.BUCKET.head(`files/${wrong.id}`)).toBeNull();
  });

  it("is kept as the sender's word where we do not [PROG-5]", async () => {
    const body = patternBytes(20_000_000);
    const { id, downloadId } = await start({ size: body.byteLength, sha256: HELLO });
    expect((await complete(id, { receipts: await sendParts(id, body) }))[0]).toBe(200);
    expect(await (await new Client().fetch(`/api/v1/links/${downloadId}`)).json()).toMatchObject({ sha256: HELLO });
  });
});

describe("an Idempotency-Key", () => {
  const file = { name: "a.txt", size: 5 };

  it("makes one upload of many starts, also in parallel [PROG-4]", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => tryStart(file, "one")));
    const started = answers.filter(([status]) => status === 201).map(([, { id }]) => id);
    expect(new Set(started).size).toBe(1);
    // One that comes before the first has finished to start is asked to come again.
    expect(answers.map(([status]) => status).filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const [status, again] = await tryStart(file, "one");
    expect([status, again.id]).toEqual([201, started[0]]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });

  it("answers the finished upload, too", async () => {
    const [, { id }] = await tryStart(file, "two");
    await putIncoming(String(id), "hello");
    await complete(String(id));
    const [status, again] = await tryStart(file, "two");
    expect([status, again]).toMatchObject([201, { id, received: [1], upload: { urls: [] } }]);
  });

  it("is refused for anything else, and belongs to one API key [PROG-4]", async () => {
    await tryStart(file, "three");
    expect(await tryStart({ ...file, size: 6 }, "three")).toEqual([
      409,
      {
        code: "REPEATED_DIFFERENTLY",
        message: "Something else was started with this Idempotency-Key. Use a new one for each start.",
      },
    ]);
    const [, { id: first }] = await tryStart(file, "three");
    const others = [await programOf(person), await programOf(await signUp())];
    for (const other of others) {
      expect((await tryStart({ ...file, size: 6 }, "three", other))[0]).toBe(201);
      // The same start: another key's upload is not answered.
      const [status, { id }] = await tryStart(file, "four", other);
      expect([status, id === first]).toEqual([201, false]);
    }
    expect(await tryStart(file, "x".repeat(256))).toMatchObject([
      400,
      { message: "An Idempotency-Key has 1 to 255 visible characters." },
    ]);
  });

  it("is forgotten after a day [PROG-4]", async () => {
    const [, { id }] = await tryStart(file, "four");
    const { at } = await rowOf<{ at: number }>("select created_at as at from files where id = ?", id);
    const keyOfRow = () => rowOf("select start_key as startKey from files where id = ?", id);
    await applyRetention(servicesFor(env), at + DAY_MS - 1);
    expect(await keyOfRow()).toEqual({ startKey: "four" });
    await applyRetention(servicesFor(env), at + DAY_MS);
    expect(await keyOfRow()).toEqual({ startKey: null });
  });
});

describe("what a key may send", () => {
  it("is its own month, exactly, also in parallel, and never more than the plan's [KEY-10]", async () => {
    const small = await programOf(person, { limits: { monthBytes: 12 } });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => tryStart({ name: "a", size: 5 }, undefined, small)),
    );
    expect(answers.map(([status]) => status).sort()).toEqual([201, 201, 403, 403]);
    expect(await keyUse(small.id)).toEqual({ bytes: 10 });
    expect(await tryStart({ name: "a", size: 3 }, undefined, small)).toEqual([
      403,
      { code: "KEY_LIMIT", message: "This API key has used up what it may send this month." },
    ]);
    expect((await tryStart({ name: "a", size: 2 }, undefined, small))[0]).toBe(201);
    expect((await tryStart({ name: "a", size: 5 }))[0]).toBe(201);
  });

  it("begins anew with the person's month [KEY-10]", async () => {
    const small = await programOf(person, { limits: { monthBytes: 5 } });
    await start({}, small);
    expect((await tryStart({ name: "a", size: 1 }, undefined, small))[0]).toBe(403);
    await env.DB.prepare("update users set current_period_start = current_period_start + 1 where id = ?")
      .bind(person.id)
      .run();
    expect((await tryStart({ name: "a", size: 5 }, undefined, small))[0]).toBe(201);
    expect(await keyUse(small.id)).toEqual({ bytes: 5 });
  });

  it("is its largest file, in an upload and in a transfer [KEY-11]", async () => {
    const small = await programOf(person, { limits: { largestFileBytes: 4 } });
    const refusal = { code: "KEY_LIMIT", message: "This file is larger than this API key may send (4 Bytes)." };
    expect(await tryStart({ name: "a", size: 5 }, undefined, small)).toEqual([403, refusal]);
    expect((await tryStart({ name: "a", size: 4 }, undefined, small))[0]).toBe(201);
    const transfer = { totals: { entries: 1, bytes: 5 }, entries: { from: 0, list: [["a", 5, 0]] } };
    expect(await answerOf(small.post("/transfers", transfer))).toEqual([403, refusal]);
  });

  it("is read from /me [PROG-10]", async () => {
    await putOnPlan(person.email, "professional");
    await start();
    expect(await program.answer("/me")).toMatchObject({
      email: person.email,
      plan: "professional",
      limits: { fileSize: 10_737_418_240, monthTransfers: 200, entries: 10_000, longestExpiry: "60d", stored: null },
      month: { bytes: 5, transfers: 1 },
      key: { id: program.id, scopes: ["upload", "files:read", "files:write", "requests"], monthUsed: 5 },
    });
  });
});
