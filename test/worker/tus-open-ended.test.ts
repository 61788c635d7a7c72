// @module-tag long
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { expectFile, stubOf } from "../support/chunked.ts";
import {
  BYTES,
  call,
  create,
  metadata,
  newProgram,
  offsetOf,
  openBody,
  send,
  startTus,
  tusOf,
  type Tus,
} from "../support/tus.ts";
import { programOf, type Program } from "../support/v1.ts";
import { answerOf, monthlyUsage, patternBytes, putOnPlan, rowOf, runSql, signUp } from "../support/worker.ts";

const MIB = 1_048_576;
const STEP = 268_435_456;
/** Of the professional plan, in bytes. */
const MONTH = 107_374_182_400;

let program: Program & { id: string };

beforeAll(async () => {
  program = await newProgram();
});

async function start(from: Program = program): Promise<Tus> {
  return tusOf(create(from, null));
}

function append(tus: Tus, offset: number, bytes: Uint8Array<ArrayBuffer>, size?: number): Promise<Response> {
  const length = { "content-length": String(bytes.byteLength) };
  return send(tus, offset, bytes, { ...length, ...(size !== undefined && { "upload-length": String(size) }) });
}

/** What the upload's row has reserved, in bytes. */
async function reserved(tus: Tus): Promise<number> {
  return (await rowOf<{ size: number }>("select size from files where id = ?", tus.id)).size;
}

async function keyUse(keyId: string): Promise<number> {
  return (await rowOf<{ used: number }>("select month_used as used from api_keys where id = ?", keyId)).used;
}

/** A new person with a key, and what both have used. */
async function newPerson(limits: object = {}) {
  const person = await signUp();
  await putOnPlan(person.email, "professional");
  const key = await programOf(person, { limits });
  return {
    key,
    email: person.email,
    used: async () => [(await monthlyUsage(person.email)).bytes, await keyUse(key.id)],
  };
}

describe("an upload that says its length later", () => {
  it("reserves 256 MiB with its first bytes, says its length at the end, and gives the rest back [TUS-5]", async () => {
    const { key, used } = await newPerson();
    const bytes = patternBytes(9 * MIB + 5);
    const created = await create(key, null, { "upload-metadata": metadata({ filename: "a pipe.txt" }) });
    expect([created.status, created.headers.get("upload-offset")]).toEqual([201, "0"]);
    const tus = await tusOf(created);
    expect(await used()).toEqual([0, 0]);
    expect((await append(tus, 0, bytes.slice(0, 8 * MIB))).status).toBe(204);
    expect([await reserved(tus), await used()]).toEqual([STEP, [STEP, STEP]]);
    const head = await call(tus.path, "HEAD");
    expect([head.headers.get("upload-defer-length"), head.headers.get("upload-length")]).toEqual(["1", null]);
    expect(head.headers.get("upload-offset")).toBe("8388608");
    const last = await append(tus, 8 * MIB, bytes.slice(8 * MIB), 9 * MIB + 5);
    expect([last.status, last.headers.get("upload-offset")]).toEqual([204, "9437189"]);
    expect(last.headers.get("mayfly-link")).toBe(`${env.APP_ORIGIN}/download/${tus.downloadId}`);
    expect([await reserved(tus), await used()]).toEqual([9_437_189, [9_437_189, 9_437_189]]);
    const finished = await call(tus.path, "HEAD");
    expect([finished.headers.get("upload-length"), finished.headers.get("upload-defer-length")]).toEqual([
      "9437189",
      null,
    ]);
    await expectFile(tus.downloadId, bytes);
  });

  it("may say its length in a request without bytes [TUS-6]", async () => {
    const bytes = patternBytes(MIB);
    const tus = await start();
    await append(tus, 0, bytes);
    expect((await append(tus, MIB, new Uint8Array(), MIB)).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("may say its length long before its last byte", async () => {
    const bytes = patternBytes(2 * MIB + 1);
    const tus = await start();
    await append(tus, 0, bytes.slice(0, MIB), 2 * MIB + 1);
    expect((await call(tus.path, "HEAD")).headers.get("upload-length")).toBe("2097153");
    expect((await append(tus, MIB, bytes.slice(MIB))).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("may turn out to be empty [TUS-6]", async () => {
    const { key, used } = await newPerson();
    const tus = await start(key);
    expect((await append(tus, 0, new Uint8Array(), 0)).status).toBe(204);
    await expectFile(tus.downloadId, new Uint8Array());
    expect(await used()).toEqual([0, 0]);
  });

  it("may bring its first bytes with the start", async () => {
    const bytes = patternBytes(100);
    const created = await create(program, null, { ...BYTES, "content-length": "100" }, bytes);
    expect([created.status, created.headers.get("upload-offset")]).toEqual([201, "100"]);
    const tus = await tusOf(created);
    expect((await append(tus, 100, new Uint8Array(), 100)).status).toBe(204);
    await expectFile(tus.downloadId, bytes);
  });

  it("keeps to the length that it has said [TUS-6]", async () => {
    const tus = await start();
    const hello = new TextEncoder().encode("hello").slice();
    await append(tus, 0, hello, 6);
    expect(await answerOf(append(tus, 5, hello.slice(0, 1), 7))).toEqual([
      400,
      { code: "BAD_REQUEST", message: "Upload-Length is another one: this upload has 6 bytes." },
    ]);
    expect((await append(tus, 5, hello)).status).toBe(413);
    expect(await offsetOf(tus)).toBe(5);
    const other = await start();
    await append(other, 0, hello);
    expect((await append(other, 5, hello.slice(0, 1), 5)).status).toBe(413);
    expect((await send(other, 5, "", { "upload-length": "five" })).status).toBe(400);
    expect(await offsetOf(other)).toBe(5);
  });

  it("needs the length of each request, and reserves nothing for one at a wrong offset [TUS-10]", async () => {
    const tus = await start();
    const line = openBody(patternBytes(5));
    const answered = answerOf(send(tus, 0, line.body));
    expect(await answered).toEqual([
      411,
      { code: "LENGTH_REQUIRED", message: "A request to an upload without a size says its own: send Content-Length." },
    ]);
    expect(await answerOf(append(tus, STEP, patternBytes(5)))).toMatchObject([409, { code: "OFFSET_CONFLICT" }]);
    expect([await reserved(tus), await offsetOf(tus)]).toEqual([0, 0]);
  });
});

describe("the room of an upload that says its length later", () => {
  it("grows by 256 MiB when what it has is used up [TUS-5]", async () => {
    const { key, used } = await newPerson();
    const tus = await start(key);
    await append(tus, 0, patternBytes(5));
    // As if no more than these bytes had been reserved.
    await runSql("update files set size = 5 where id = ?", tus.id);
    await append(tus, 5, patternBytes(MIB));
    expect(await reserved(tus)).toBe(STEP);
    expect(await used()).toEqual([STEP + STEP - 5, STEP + STEP - 5]);
  });

  it("is what the month has left where that is less than 256 MiB [TUS-5]", async () => {
    const { key, email, used } = await newPerson();
    await runSql("update users set monthly_upload_total = ? where email = ?", MONTH - 20, email);
    const tus = await start(key);
    expect((await append(tus, 0, patternBytes(20))).status).toBe(204);
    expect([await reserved(tus), (await used())[0]]).toEqual([20, MONTH]);
  });

  it("ends the upload when the month is full, and gives back what was reserved [TUS-7]", async () => {
    const { key, email, used } = await newPerson();
    const tus = await start(key);
    await append(tus, 0, patternBytes(20));
    await runSql("update files set size = 20 where id = ?", tus.id);
    await runSql("update users set monthly_upload_total = ? where email = ?", MONTH, email);
    await runSql("update api_keys set month_used = 20 where id = ?", key.id);
    expect(await answerOf(append(tus, 20, patternBytes(20)))).toMatchObject([403, { code: "PLAN_LIMIT_EXCEEDED" }]);
    expect((await call(tus.path, "HEAD")).status).toBe(410);
    expect(await used()).toEqual([MONTH - 20, 0]);
    expect(await rowOf("select status from files where id = ?", tus.id)).toEqual({ status: "cancelled" });
  });

  it.each([
    ["its key's largest file", { largestFileBytes: 30 }],
    ["its key's month", { monthBytes: 30 }],
  ])("is %s [TUS-7]", async (_, limits) => {
    const { key, used } = await newPerson(limits);
    const tus = await start(key);
    expect((await append(tus, 0, patternBytes(30))).status).toBe(204);
    expect(await used()).toEqual([30, 30]);
    expect(await answerOf(append(tus, 30, patternBytes(1)))).toMatchObject([403, { code: "KEY_LIMIT" }]);
    expect((await call(tus.path, "HEAD")).status).toBe(410);
    expect(await used()).toEqual([0, 0]);
  });

  it("ends with the length that is too large for the plan [TUS-7]", async () => {
    const person = await signUp();
    const tus = await start(await programOf(person));
    await append(tus, 0, patternBytes(5));
    expect(await answerOf(append(tus, 5, patternBytes(5), 40_000_000_000))).toMatchObject([
      403,
      { code: "PLAN_LIMIT_EXCEEDED", planLimitExceeded: true },
    ]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("stays in the month of its start", async () => {
    const { key, email } = await newPerson();
    const tus = await start(key);
    await runSql("update users set current_period_start = current_period_start + 1 where email = ?", email);
    expect(await answerOf(append(tus, 0, patternBytes(5)))).toMatchObject([
      403,
      {
        code: "PLAN_LIMIT_EXCEEDED",
        message:
          "A new month of your plan has begun since this upload started, so it cannot grow. Please start it again.",
      },
    ]);
  });

  it("that no month has is refused at the start", async () => {
    const { key, email } = await newPerson();
    await runSql("update users set monthly_upload_total = ? where email = ?", MONTH, email);
    expect(await answerOf(create(key, null))).toMatchObject([403, { code: "PLAN_LIMIT_EXCEEDED" }]);
  });

  it("of uploads that grow at the same time is never more than the month [TUS-8]", async () => {
    const { key, email, used } = await newPerson();
    await runSql("update users set monthly_upload_total = ? where email = ?", MONTH - 50, email);
    const uploads = [await start(key), await start(key), await start(key)];
    const answers = await Promise.all(uploads.map((tus) => append(tus, 0, patternBytes(20))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 403]);
    expect((await used())[0]).toBe(MONTH - 10);
  });
});

/** What may happen to uploads of one person, one after the other. */
type Step = {
  kind: "start" | "add" | "declare" | "finish" | "cancel" | "expire" | "sized";
  pick: number;
  length: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("start", "add", "declare", "finish", "cancel", "expire", "sized"),
  pick: fc.nat(3),
  length: fc.integer({ min: 1, max: 5000 }),
});

interface Model {
  tus: Tus;
  bytes: number;
  reserved: number;
  /** In all, once it is known. */
  size: number | null;
}

describe("the counters", () => {
  it("agree with the rows after any sequence of starts, bytes, lengths, ends and expiries [TUS-9]", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const { key, used } = await newPerson();
        const open: Model[] = [];
        let stored = 0;
        for (const { kind, pick, length } of steps) {
          const upload = open[pick % Math.max(1, open.length)];
          if (kind === "start") open.push({ tus: await start(key), bytes: 0, reserved: 0, size: null });
          else if (kind === "sized") {
            open.push({ tus: await startTus(length, key), bytes: 0, reserved: length, size: length });
          } else if (upload) {
            const remove = () => open.splice(open.indexOf(upload), 1);
            if (kind === "cancel") {
              expect((await call(upload.tus.path, "DELETE")).status).toBe(204);
              remove();
            } else if (kind === "expire") {
              await expire(upload.tus);
              remove();
            } else {
              const size = upload.size ?? (kind === "add" ? null : upload.bytes + length);
              const count = kind === "finish" && size !== null ? size - upload.bytes : Math.min(length, 7);
              if (size !== null && upload.bytes + count >= size && kind !== "finish") continue;
              const added = patternBytes(upload.bytes + count).slice(upload.bytes);
              expect((await append(upload.tus, upload.bytes, added, size ?? undefined)).status).toBe(204);
              upload.size = size;
              upload.bytes += count;
              upload.reserved = Math.max(upload.reserved, size ?? STEP);
              if (upload.bytes === size) {
                stored += size;
                remove();
              }
            }
          }
          const expected = stored + open.reduce((sum, one) => sum + one.reserved, 0);
          expect(await used()).toEqual([expected, expected]);
        }
      }),
      { numRuns: 12 },
    );
  }, 300_000);
});

/** Lets a day pass for the upload, and its alarm ring. */
async function expire(tus: Tus): Promise<void> {
  await runInDurableObject(stubOf(tus.id), async (_, { storage }) => {
    const record = storage.kv.get<object>("upload");
    storage.kv.put("upload", { ...record, lastReceiptAt: Date.now() - 2 * 86_400_000 });
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stubOf(tus.id));
}
