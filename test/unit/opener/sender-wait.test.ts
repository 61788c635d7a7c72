import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SenderWait } from "../../../opener/sender-wait.ts";

const notes: string[] = [];

beforeEach(() => {
  notes.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("tells of each silence once, and forgets it when bytes come [SEAL-41]", () => {
  const wait = new SenderWait(60_000, (text) => notes.push(text));
  wait.start();
  wait.hear(124, 200);
  vi.advanceTimersByTime(19_000);
  expect(notes).toEqual([]);
  vi.advanceTimersByTime(40_000);
  expect(notes).toEqual(["waiting for the sender (62 %)"]);
  wait.hear(124, 200);
  wait.hear(126, 200);
  vi.advanceTimersByTime(59_000);
  expect(notes).toEqual(["waiting for the sender (62 %)", "waiting for the sender (63 %)"]);
  expect(wait.signal.aborted).toBe(false);
  wait.stop();
});

it("ends a pause when the sender has been silent for too long [SEAL-41]", async () => {
  const wait = new SenderWait(60_000, () => undefined);
  wait.start();
  const paused = expect(wait.pause(3_600_000)).rejects.toMatchObject({
    exitCode: 6,
    message: "The sender has sent nothing for a minute. Run the same command again to go on.",
  });
  vi.advanceTimersByTime(60_000);
  await paused;
  await expect(wait.pause(0)).rejects.toMatchObject({ exitCode: 6 });
  wait.stop();
});

it("never ends before it begins to listen", () => {
  const wait = new SenderWait(60_000, (text) => notes.push(text));
  vi.advanceTimersByTime(600_000);
  expect([wait.signal.aborted, notes]).toEqual([false, []]);
});
