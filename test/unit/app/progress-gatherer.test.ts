import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProgressGatherer, type GatheredProgress } from "#app/features/download/transfer/use-live-transfer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function gather() {
  const drawn: GatheredProgress[] = [];
  const gatherer = new ProgressGatherer((progress) => {
    drawn.push(progress);
  });
  return { drawn, gatherer };
}

describe("the messages about a transfer", () => {
  it("draw the page at once, and then at most four times a second [TRF-42]", () => {
    const { drawn, gatherer } = gather();
    for (let n = 0; n < 12; n += 1) {
      gatherer.add({ type: "entries_stored", runs: [[n, 1]] });
      vi.advanceTimersByTime(80);
    }
    expect(drawn).toHaveLength(4);
    expect(drawn[0]).toEqual({ percent: null, stored: [[0, 1]], moving: null });
  });

  it("lose nothing: all that has arrived is drawn together, with the latest progress", () => {
    const { drawn, gatherer } = gather();
    gatherer.add({ type: "transfer_state", entries: 9, bytes: 90, stored: [[0, 2]], percent: 20 });
    gatherer.add({ type: "entries_stored", runs: [[2, 1]] });
    gatherer.add({ type: "transfer_progress", bytes: 40, percent: 44, moving: [[5, 10]] });
    gatherer.add({ type: "entries_stored", runs: [[4, 1]] });
    gatherer.add({ type: "transfer_progress", bytes: 45, percent: 50, moving: [[6, 70]] });
    gatherer.add({ type: "watchers", count: 3 });
    vi.advanceTimersByTime(250);
    expect(drawn).toEqual([
      { percent: 20, stored: [[0, 2]], moving: null },
      {
        percent: 50,
        stored: [
          [2, 1],
          [4, 1],
        ],
        moving: [[6, 70]],
      },
    ]);
  });

  it("draw nothing after it was stopped, and leave no timer", () => {
    const { drawn, gatherer } = gather();
    gatherer.add({ type: "entries_stored", runs: [[0, 1]] });
    gatherer.add({ type: "entries_stored", runs: [[1, 1]] });
    gatherer.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(drawn).toHaveLength(1);
  });
});
