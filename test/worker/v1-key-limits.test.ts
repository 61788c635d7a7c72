import { beforeEach, describe, expect, it } from "vitest";
import type { V1Call } from "#domain/v1/call.ts";
import { DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { makeKey, Program } from "../support/v1.ts";
import { sendExample, type DescribedName } from "../support/v1-examples.ts";
import { answerOf, monthlyUsage, rowOf, signUp } from "../support/worker.ts";

const NAMES = Object.keys(DESCRIBED_CALLS) as DescribedName[];
/** The calls that start something. Their examples send files of five bytes and more. */
const STARTS = NAMES.filter((name) => {
  const call: V1Call = DESCRIBED_CALLS[name];
  return call.errors.includes("KEY_LIMIT") && !call.path.includes("{id}");
});

const MONTH = "This API key has used up what it may send this month.";
const LARGEST = "This file is larger than this API key may send (4 Bytes).";

let person: Awaited<ReturnType<typeof signUp>>;

beforeEach(async () => {
  person = await signUp();
});

/** What a person and a key have used, and how many uploads there are. */
async function used(keyId: string) {
  const { bytes } = await rowOf<{ bytes: number }>("select month_used as bytes from api_keys where id = ?", keyId);
  const { uploads } = await rowOf<{ uploads: number }>(
    "select count(*) as uploads from files where user_id = ?",
    person.id,
  );
  return { month: await monthlyUsage(person.email), key: bytes, uploads };
}

const NOTHING = { month: { bytes: 0, transfers: 0 }, key: 0, uploads: 0 };

describe("what a key may send", () => {
  it("limits every call that starts something", () => {
    expect(STARTS).toEqual(["startUpload", "startTransfer", "createTusUpload", "putFile", "postForm"]);
  });

  it.each(STARTS)("is at most the bytes of its month: %s [KEY-10]", async (name) => {
    const { key, id } = await makeKey(person, { limits: { monthBytes: 4 } });
    const before = await storedKeys();
    const refused = await answerOf(sendExample(name, person, key, "application/json"));
    expect(refused).toEqual([403, { code: "KEY_LIMIT", message: MONTH }]);
    expect(await used(id)).toEqual(NOTHING);
    expect(await storedKeys()).toEqual(before);
  });

  it.each(STARTS)("is at most its largest file: %s [KEY-11]", async (name) => {
    const { key, id } = await makeKey(person, { limits: { largestFileBytes: 4 } });
    const before = await storedKeys();
    const refused = await answerOf(sendExample(name, person, key, "application/json"));
    expect(refused).toEqual([403, { code: "KEY_LIMIT", message: LARGEST }]);
    expect(await used(id)).toEqual(NOTHING);
    expect(await storedKeys()).toEqual(before);
  });

  it.each([
    ["the bytes of its month", { monthBytes: 8 }, MONTH],
    ["its largest file", { largestFileBytes: 4 }, LARGEST],
  ])("is at most %s in a transfer that grows [KEY-10, KEY-11]", async (_, limits, message) => {
    const { key, id } = await makeKey(person, { limits });
    const program = new Program(key);
    const entries = { from: 0, list: [["a.txt", 4, 0]] };
    const start = { totals: { entries: 1, bytes: 4 }, entries };
    const { id: transfer } = await program.answer<{ id: string }>("/transfers", "POST", start);
    const more = { totals: { entries: 2, bytes: 9 }, entries: { from: 1, list: [["b.txt", 5, 0]] } };
    expect(await answerOf(program.post(`/transfers/${transfer}/files`, more))).toEqual([
      403,
      { code: "KEY_LIMIT", message },
    ]);
    expect(await used(id)).toEqual({ month: { bytes: 4, transfers: 1 }, key: 4, uploads: 1 });
    expect(await program.answer(`/transfers/${transfer}/files`, "POST", {})).toMatchObject({ entries: 1 });
  });

  it("is never more than its plan's [KEY-10]", async () => {
    const { key } = await makeKey(person, { limits: { monthBytes: 1e12, largestFileBytes: 1e12 } });
    const start = (size: number) => answerOf(new Program(key).post("/uploads", { name: "a.bin", size }));
    expect((await start(524_288_000))[0]).toBe(201);
    expect(await start(524_288_001)).toMatchObject([403, { code: "PLAN_LIMIT_EXCEEDED", planLimitExceeded: true }]);
  });
});
