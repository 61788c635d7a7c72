import { describe, expect, it } from "vitest";
import {
  archiveQuery,
  changeTransferRequest,
  entriesQuery,
  entryParam,
  finishTransferRequest,
  objectParam,
  startTransferRequest,
  transferBatchRequest,
} from "#domain/wire.ts";

const HASH = "0123456789abcdef".repeat(4);
const START = { totals: { entries: 2, bytes: 5 } };
const RECEIPT = { object: 0, part: 1, etag: "abc", crc32: "00ff00ff" };

type Schema = { safeParse(value: unknown): { error?: { issues: { message: string; path: PropertyKey[] }[] } } };

/** The first field that is refused, or null for a valid value. */
function refusedField(schema: Schema, value: unknown): string | null {
  return schema.safeParse(value).error?.issues[0]?.path.join(".") ?? null;
}

function firstMessage(schema: Schema, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

const repeated = (count: number, value: unknown) => Array.from({ length: count }, () => value);

describe("a transfer's start", () => {
  it("needs the totals alone, and has defaults for the rest", () => {
    expect(startTransferRequest.parse(START)).toEqual({
      ...START,
      message: "",
      expirationChosen: false,
      fingerprint: null,
      open: [],
      sign: [],
      receipts: [],
      sums: [],
      drop: [],
      remove: [],
    });
  });

  it.each([undefined, { entries: 0, bytes: 0 }, { entries: 1.5, bytes: 0 }, { entries: 1, bytes: -1 }])(
    "is refused with the totals %j",
    (totals) => {
      expect(refusedField(startTransferRequest, { totals })).toMatch(/^totals/);
    },
  );

  it.each([
    ["Holiday 2026", undefined],
    ["x".repeat(255), undefined],
    ["x".repeat(256), "transferTitleLong"],
    ["", "transferTitleWrong"],
    ["..", "transferTitleWrong"],
    ["a/b", "transferTitleWrong"],
    ["a\u202eb", "transferTitleWrong"],
  ])("with the title %j answers %j", (title, message) => {
    expect(firstMessage(startTransferRequest, { ...START, title })).toBe(message);
  });

  it.each([
    ["Hello\n\nBest, Ada", undefined],
    ["x".repeat(2000), undefined],
    ["x".repeat(2001), "transferMessageLong"],
    ["\ud800", "wrong"],
  ])("with the message %j answers %j", (message, refusal) => {
    expect(firstMessage(startTransferRequest, { ...START, message })).toBe(refusal);
  });

  it("opens at most 6 objects", () => {
    const open = (count: number) => ({ ...START, open: repeated(count, { object: 0, runs: [[0, 1]] }) });
    expect(refusedField(startTransferRequest, open(6))).toBeNull();
    expect(refusedField(startTransferRequest, open(7))).toBe("open");
  });
});

describe("a transfer's batch", () => {
  it("may be empty", () => {
    expect(refusedField(transferBatchRequest, {})).toBeNull();
  });

  it.each([
    [["a.txt", 5, 0], true],
    [["a.txt", 5, -1, "text/plain"], true],
    [["empty/", 0, 8_640_000_000_000_000], true],
    [["a.txt", 5], false],
    [["a.txt", 5, 0, "text/plain", 7], false],
    [["a.txt", -1, 0], false],
    [["a.txt", 2 ** 53, 0], false],
    [["a.txt", 5, 0.5], false],
    [["a.txt", 5, 8_640_000_000_000_001], false],
    [["a.txt", 5, null], false],
    [[5, 5, 5], false],
    ["a.txt", false],
  ])("announces the entry %j: %j", (entry, taken) => {
    expect(transferBatchRequest.safeParse({ entries: { from: 0, list: [entry] } }).success).toBe(taken);
  });

  it.each<[string, number, (count: number) => object]>([
    ["entries.list", 500, (count) => ({ entries: { from: 0, list: repeated(count, ["a", 0, 0]) } })],
    ["open", 24, (count) => ({ open: repeated(count, { object: 0, runs: [[0, 1]] }) })],
    ["sign", 100, (count) => ({ sign: repeated(count, { object: 0, parts: [1] }) })],
    ["sign", 100, (count) => ({ sign: [{ object: 0, parts: repeated(count, 1) }] })],
    ["receipts", 200, (count) => ({ receipts: repeated(count, RECEIPT) })],
    ["sums", 200, (count) => ({ sums: repeated(count, { n: 0, sha256: HASH }) })],
    ["drop", 200, (count) => ({ drop: repeated(count, 0) })],
    ["remove", 200, (count) => ({ remove: repeated(count, 0) })],
  ])("holds in %s at most %d", (field, most, batchOf) => {
    expect(refusedField(transferBatchRequest, batchOf(most))).toBeNull();
    expect(refusedField(transferBatchRequest, batchOf(most + 1))).toBe(field);
  });

  it.each([
    [[[0, 1]], true],
    [
      [
        [7, 500],
        [0, 1],
      ],
      true,
    ],
    [[], false],
    [[[0, 0]], false],
    [[[0, 501]], false],
    [[[-1, 1]], false],
    [[[20_000, 1]], false],
    [[[0]], false],
    [[[0, 1, 2]], false],
    [[["0", 1]], false],
  ])("opens an object of the runs %j: %j", (runs, taken) => {
    expect(transferBatchRequest.safeParse({ open: [{ object: 0, runs }] }).success).toBe(taken);
  });

  it.each([{ crc32: "00FF00FF" }, { crc32: "00ff00f" }, { crc32: 255 }, { crc32: undefined }, { object: -1 }])(
    "refuses a receipt with %j",
    (change) => {
      expect(refusedField(transferBatchRequest, { receipts: [RECEIPT] })).toBeNull();
      expect(refusedField(transferBatchRequest, { receipts: [{ ...RECEIPT, ...change }] })).toMatch(/^receipts/);
    },
  );

  it.each(["", HASH.toUpperCase(), HASH.slice(1)])("refuses the SHA-256 %j", (sha256) => {
    expect(firstMessage(transferBatchRequest, { sums: [{ n: 0, sha256 }] })).toBe("notSha256");
  });
});

describe("a transfer's other calls", () => {
  it("finish with receipts or without", () => {
    expect(finishTransferRequest.parse({})).toEqual({ receipts: [] });
    expect(finishTransferRequest.parse({ receipts: [RECEIPT] })).toEqual({ receipts: [RECEIPT] });
  });

  it("change the message alone, and take one away", () => {
    expect(changeTransferRequest.parse({ message: " Hello " })).toEqual({ message: "Hello" });
    expect(changeTransferRequest.parse({ message: "" })).toEqual({ message: "" });
    expect(firstMessage(changeTransferRequest, {})).toBe("nothingToChangeInTransfer");
  });

  it("list from the first entry unless told", () => {
    expect(entriesQuery.parse({})).toEqual({ from: 0 });
    expect(entriesQuery.parse({ from: "500" })).toEqual({ from: 500 });
    for (const from of ["", "x", "-1", "1.5"]) expect(firstMessage(entriesQuery, { from })).toBe("notCount");
  });

  it("name an entry and an object by a whole number", () => {
    expect(entryParam.parse("19999")).toBe(19_999);
    expect(objectParam.parse("0")).toBe(0);
    for (const text of ["", "-1", "1.5", "x", "20000"]) expect(entryParam.safeParse(text).success).toBe(false);
  });

  it("leave the judgement of a selection to whoever knows the transfer", () => {
    expect(archiveQuery.parse({ v: "stale", pick: "" })).toEqual({ v: "stale", pick: "" });
  });
});
