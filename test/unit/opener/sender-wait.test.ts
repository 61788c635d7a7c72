import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SenderWait } from "../../../opener/sender-wait.ts";

const MINUTE_MS = 60_000;

let said: string[];

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const waitFor = (waitMs: number) =>
  new SenderWait(waitMs, {
    note: (text) => said.push(text),
    tooSilent: (time) => new Error(`nothing for ${time}`),
  });

it("says once how far the sender is, and gives up after the silence that was asked for [FOL-12, SEAL-41]", async () => {
  const wait = waitFor(30 * MINUTE_MS);
  wait.start();
  wait.hearBytes(6_250_000, 10_000_000);
  const paused = wait.pause(60 * MINUTE_MS);
  const failure = expect(paused).rejects.toMatchObject({
    message: "nothing for 30 minutes",
  });
  await vi.advanceTimersByTimeAsync(29 * MINUTE_MS);
  expect(said).toEqual(["waiting for the sender (62 %)"]);
  expect(wait.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await failure;
  expect(wait.signal.aborted).toBe(true);
  wait.stop();
});

it("begins the silence anew with each byte and percent of the sender, and ends with `stop` [FOL-12, SEAL-41]", async () => {
  const wait = waitFor(MINUTE_MS);
  wait.start();
  await vi.advanceTimersByTimeAsync(50_000);
  wait.hearBytes(1_000_000, 10_000_000);
  await vi.advanceTimersByTimeAsync(50_000);
  wait.hearPercent(11);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(wait.signal.aborted).toBe(false);
  wait.stop();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(wait.signal.aborted).toBe(false);
});
