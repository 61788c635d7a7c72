// @module-tag long
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { appendRequest } from "#durable-objects/upload/appender.ts";
import type { AppendResult } from "#durable-objects/upload/results.ts";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { expectFile, flushedParts, stubOf } from "../support/chunked.ts";
import { faultyEnv, STORE_ERROR, strike } from "../support/faults.ts";
import {
  call,
  checksumOf,
  newProgram,
  offsetOf,
  openBody,
  recordOf,
  send,
  startTus,
  type Tus,
} from "../support/tus.ts";
import type { Program } from "../support/v1.ts";
import { answerOf, contentPath, patternBytes, rowOf } from "../support/worker.ts";

const MIB = 1_048_576;
const KIB_64 = 65_536;

let program: Program;

beforeAll(async () => {
  program = await newProgram();
});

/** The rows that the object has: chunks with their bytes, chunks without, and the bytes of the edge. */
function rowsOf({ id }: Tus): Promise<{ kept: number; sent: number; edge: number }> {
  return runInDurableObject(stubOf(id), (_, { storage }) => {
    const counted = storage.sql
      .exec<{ kept: number; sent: number; edge: number }>(
        `select count(bytes) as kept, count(*) - count(bytes) as sent,
           coalesce((select length(bytes) from edge), 0) as edge from chunks`,
      )
      .one();
    return { ...counted };
  });
}

/** Adds bytes to the real object, whose bucket takes no parts. */
function appendWithoutStorage({ id }: Tus, offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<AppendResult> {
  return runInDurableObject(stubOf(id), async (_, state) => {
    const { fate } = strike(Infinity, STORE_ERROR, (method) => method === "uploadPart");
    const session = new UploadSession(
      state,
      faultyEnv(env, () => null, fate),
    );
    const response = await session.fetch(appendRequest({ offset, checksum: null, body: new Response(bytes).body }));
    return response.json<AppendResult>();
  });
}

/** Waits until the object has read bytes of a request that goes on. */
async function untilStored(tus: Tus, chunks: number): Promise<void> {
  await expect.poll(async () => (await rowsOf(tus)).kept + (await rowsOf(tus)).sent).toBe(chunks);
}

describe("a request that breaks", () => {
  it.each([KIB_64, MIB, 5 * MIB + 1, 8 * MIB, 8 * MIB + 1])("after %i bytes loses less than 64 KiB", async (cut) => {
    const bytes = patternBytes(9 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    const line = openBody(bytes.slice(0, cut));
    const answered = send(tus, 0, line.body).catch(() => null);
    await line.given;
    await line.breakOff();
    await answered;
    const offset = await offsetOf(tus);
    expect(offset).toBeGreaterThan(cut - KIB_64);
    expect(offset).toBeLessThanOrEqual(cut);
    expect((await send(tus, offset, bytes.subarray(offset))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("under a checksum loses all of its bytes, and nothing else", async () => {
    const bytes = patternBytes(10 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    await send(tus, 0, bytes.subarray(0, 100));
    const line = openBody(bytes.slice(100, 9 * MIB));
    const answered = send(tus, 100, line.body, await checksumOf(bytes.slice(100))).catch(() => null);
    await line.given;
    await untilStored(tus, 9);
    await line.breakOff();
    await answered;
    expect(await offsetOf(tus)).toBe(100);
    expect(await rowsOf(tus)).toEqual({ kept: 0, sent: 0, edge: 100 });
    expect(await flushedParts(tus.id)).toEqual([]);
    expect((await send(tus, 100, bytes.subarray(100))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });
});

describe("a connection that is half open", () => {
  it.each(["HEAD", "PATCH", "DELETE"])("does not hold up %s, and is answered 409", async (method) => {
    const bytes = patternBytes(3 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    const line = openBody(bytes.slice(0, 2 * MIB));
    const stuck = send(tus, 0, line.body);
    await line.given;
    await untilStored(tus, 2);
    if (method === "DELETE") {
      expect((await call(tus.path, "DELETE")).status).toBe(204);
      expect(await rowOf("select status from files where id = ?", tus.id)).toEqual({ status: "cancelled" });
    }
    if (method === "HEAD") expect(await offsetOf(tus)).toBe(2 * MIB);
    if (method === "PATCH") expect((await send(tus, 2 * MIB, bytes.subarray(2 * MIB))).status).toBe(204);
    expect((await stuck).status).toBe(409);
    if (method === "PATCH") await expectFile(tus.downloadId, bytes);
  });

  it("stays with the last of many that take over", async () => {
    const bytes = patternBytes(2 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(tus, 0, bytes)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 204 && status !== 409)).toEqual([]);
    const offset = await offsetOf(tus);
    if (offset < bytes.byteLength) expect((await send(tus, offset, bytes.subarray(offset))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("is followed by one of two that waited for it, never by both", async () => {
    const size = 4 * MIB;
    const tus = await startTus(size, program);
    const filled = (value: number, from: number) => new Uint8Array(size - from).fill(value);
    // In one turn of the object, so that both wait for the one at work.
    await runInDurableObject(stubOf(tus.id), async (session: UploadSession) => {
      const append = (body: ReadableStream<Uint8Array> | null) =>
        session.fetch(appendRequest({ offset: 0, checksum: null, body }));
      const stuck = append(new IdentityTransformStream().readable);
      const followers = [1, 2].map((value) => append(new Response(filled(value, 0)).body));
      await Promise.all([stuck, ...followers]);
    });
    const offset = await offsetOf(tus);
    if (offset < size) expect((await send(tus, offset, filled(3, offset))).status).toBe(204);
    const stored = new Uint8Array(await (await call(contentPath(tus.downloadId), "GET")).arrayBuffer());
    expect(stored.byteLength).toBe(size);
    expect(new Set(stored.subarray(0, offset)).size).toBeLessThanOrEqual(1);
  });
});

describe("an appended upload", () => {
  it("survives evictions between its requests", async () => {
    const bytes = patternBytes(9 * MIB + 17);
    const tus = await startTus(bytes.byteLength, program);
    for (let offset = 0; offset < bytes.byteLength; offset += 3_333_333) {
      expect((await send(tus, offset, bytes.subarray(offset, offset + 3_333_333))).status).toBe(204);
      await evictDurableObject(stubOf(tus.id));
    }
    await expectFile(tus.downloadId, bytes);
  });

  it("whose object is killed in a request goes on after the last whole chunk", async () => {
    const bytes = patternBytes(3 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    await send(tus, 0, bytes.subarray(0, 10));
    const line = openBody(bytes.slice(10, 2 * MIB + 500_000));
    const killed = send(tus, 10, line.body).catch(() => null);
    await line.given;
    await untilStored(tus, 2);
    await abortAllDurableObjects();
    await line.breakOff().catch(() => undefined);
    await killed;
    expect(await offsetOf(tus)).toBe(2 * MIB);
    expect((await send(tus, 2 * MIB, bytes.subarray(2 * MIB))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("whose object is killed under a checksum falls back to what is firm", async () => {
    const bytes = patternBytes(3 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    await send(tus, 0, bytes.subarray(0, 10));
    const line = openBody(bytes.slice(10, 2 * MIB + 500_000));
    const killed = send(tus, 10, line.body, await checksumOf(bytes)).catch(() => null);
    await line.given;
    await untilStored(tus, 2);
    await abortAllDurableObjects();
    await line.breakOff().catch(() => undefined);
    await killed;
    expect((await recordOf(tus))?.provisionalFrom).toBe(0);
    expect(await offsetOf(tus)).toBe(10);
    expect((await recordOf(tus))?.provisionalFrom).toBeUndefined();
    expect((await send(tus, 10, bytes.subarray(10))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("keeps no bytes that storage has", async () => {
    const bytes = patternBytes(17 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    await send(tus, 0, bytes.subarray(0, 16 * MIB + 5));
    expect(await rowsOf(tus)).toEqual({ kept: 0, sent: 16, edge: 5 });
    expect(await flushedParts(tus.id)).toEqual([1, 2]);
    await send(tus, 16 * MIB + 5, bytes.subarray(16 * MIB + 5));
    await expectFile(tus.downloadId, bytes);
  });

  it("is finished by its alarm when the answer to the last byte never came", async () => {
    const bytes = patternBytes(MIB + 1);
    const tus = await startTus(bytes.byteLength, program);
    await send(tus, 0, bytes.subarray(0, MIB));
    // As after a crash between the last row and the end.
    await runInDurableObject(stubOf(tus.id), async (_, { storage }) => {
      storage.sql.exec("insert into chunks values (1, '', ?)", bytes.slice(MIB).buffer);
      const record = storage.kv.get<object>("upload");
      storage.kv.put("upload", { ...record, phase: "completing", completingSince: Date.now(), attempts: 0 });
      await storage.setAlarm(Date.now() + 60_000);
    });
    expect(await offsetOf(tus)).toBe(MIB + 1);
    await runDurableObjectAlarm(stubOf(tus.id));
    expect(await rowOf("select status from files where id = ?", tus.id)).toEqual({ status: "ready" });
    await expectFile(tus.downloadId, bytes);
  });

  it("keeps what it has when storage does not take a part, and sends that with the next request", async () => {
    const bytes = patternBytes(9 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    const refused = await appendWithoutStorage(tus, 0, bytes.slice(0, 8 * MIB));
    expect(refused).toEqual({ ok: false, code: "STORAGE_UNAVAILABLE" });
    await evictDurableObject(stubOf(tus.id));
    expect(await offsetOf(tus)).toBe(8 * MIB);
    expect(await rowsOf(tus)).toEqual({ kept: 8, sent: 0, edge: 0 });
    expect((await send(tus, 8 * MIB, bytes.subarray(8 * MIB))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("has all its bytes when storage does not answer at the end, and is finished by its alarm", async () => {
    const bytes = patternBytes(MIB + 1);
    const tus = await startTus(bytes.byteLength, program);
    const stored = await appendWithoutStorage(tus, 0, bytes);
    expect(stored).toEqual({ ok: true, offset: MIB + 1, expiresAt: null, sizeBytes: MIB + 1 });
    await evictDurableObject(stubOf(tus.id));
    expect(await offsetOf(tus)).toBe(MIB + 1);
    await runDurableObjectAlarm(stubOf(tus.id));
    await expectFile(tus.downloadId, bytes);
  });

  it("begins anew when storage has lost parts", async () => {
    const bytes = patternBytes(9 * MIB);
    const tus = await startTus(bytes.byteLength, program);
    await send(tus, 0, bytes.subarray(0, 8 * MIB));
    await runInDurableObject(stubOf(tus.id), (_, { storage }) => {
      storage.sql.exec("update parts set etag = 'lost'");
    });
    expect(await answerOf(send(tus, 8 * MIB, bytes.subarray(8 * MIB)))).toMatchObject([
      409,
      { code: "OFFSET_CONFLICT" },
    ]);
    expect(await offsetOf(tus)).toBe(0);
    expect((await send(tus, 0, bytes)).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("refuses a request that is not for its offset, inside the object too", async () => {
    const tus = await startTus(5, program);
    const append = { offset: 1, checksum: null, body: new Response("ello").body };
    const response = await stubOf(tus.id).fetch(appendRequest(append));
    expect(await response.json<AppendResult>()).toEqual({ ok: false, code: "OFFSET_CONFLICT" });
    expect(await env.BUCKET.head(`files/${tus.id}`)).toBeNull();
  });
});
