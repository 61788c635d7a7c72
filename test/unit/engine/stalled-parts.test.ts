import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StalledParts } from "#engine/part-sender.ts";

const PART = 8_000_000;

let now: number;
let parts: StalledParts;
let stalled: string[];

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  stalled = [];
  parts = new StalledParts(() => now);
});
afterEach(() => {
  vi.useRealTimers();
});

const watch = (name: string) => parts.watch(PART, () => stalled.push(name));

it("a part that does not move while the others send twice its size for eight seconds has stalled [UP-28]", () => {
  const still = watch("still");
  still.move(1_000_000);
  const others = [watch("first"), watch("second")];
  now = 8_000;
  for (const other of others) other.move(7_000_000);
  expect(stalled).toEqual([]);
  others[0]?.move(7_999_999);
  others[1]?.move(7_999_999);
  expect(stalled).toEqual([]);
  watch("third").move(2);
  expect(stalled).toEqual(["still"]);
});

it("a part that has sent nothing may wait for a connection: it stalls after six times its size", () => {
  watch("queued");
  now = 8_000;
  for (let other = 1; other <= 5; other += 1) {
    const sending = watch(`other ${other}`);
    sending.move(PART);
    sending.stop();
  }
  expect(stalled).toEqual([]);
  watch("sixth").move(PART);
  expect(stalled).toEqual(["queued"]);
});

it("eight seconds are not enough on a slow line: nothing has stalled that is only slow", () => {
  watch("slow");
  const other = watch("other");
  now = 59_000;
  other.move(2_000_000);
  expect(stalled).toEqual([]);
});

it("a part that moves now and then does not stall", () => {
  const slow = watch("slow");
  for (let turn = 1; turn <= 5; turn += 1) {
    now += 7_000;
    slow.move(turn * 100);
    const other = watch(`other ${turn}`);
    other.move(PART - 1);
    other.stop();
  }
  expect(stalled).toEqual([]);
});

it("a part that waits for its answer after its last byte does not stall", () => {
  watch("sent").move(PART);
  now = 30_000;
  const others = [watch("first"), watch("second"), watch("third")];
  for (const other of others) other.move(PART - 1);
  vi.advanceTimersByTime(60_000);
  expect(stalled).toEqual([]);
});

it("a part that is alone has stalled after fifteen seconds", () => {
  watch("last").move(100);
  vi.advanceTimersByTime(14_999);
  expect(stalled).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(stalled).toEqual(["last"]);
});

it("while the whole line is out, nothing that has company stalls, and a stopped watch is silent", () => {
  watch("one");
  const other = watch("other");
  vi.advanceTimersByTime(60_000);
  expect(stalled).toEqual([]);
  other.stop();
  other.move(PART);
  expect(stalled).toEqual([]);
});
