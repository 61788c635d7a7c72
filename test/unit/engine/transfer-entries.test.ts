import { describe, expect, it } from "vitest";
import { TransferEntries } from "#engine/transfer/transfer-entries.ts";

function entriesOf(sizes: readonly number[], sent = new Map<number, number>()): TransferEntries {
  const entries = new TransferEntries((object) => sent.get(object) ?? 0);
  for (const [index, sizeBytes] of sizes.entries()) entries.add({ path: `${index}.txt`, sizeBytes });
  return entries;
}

describe("entries of a transfer", () => {
  it("are shown as waiting until bytes of them are sent, and as sending until they can be downloaded", () => {
    const entries = entriesOf([1]);
    const shown = (["waiting", "planned", "sending", "sent", "stored"] as const).map((phase) => {
      entries.setPhase(0, phase);
      return entries.state(0);
    });
    expect(shown).toEqual(["waiting", "waiting", "sending", "sending", "stored"]);
  });

  it("count by what is shown, with their bytes", () => {
    const entries = entriesOf([1, 2, 4, 8]);
    entries.setPhase(1, "planned");
    entries.setPhase(2, "sent");
    entries.setPhase(3, "removed");
    expect([entries.count("waiting"), entries.count("sending"), entries.count("removed")]).toEqual([2, 1, 1]);
    expect([entries.present, entries.bytesIn("sent"), entries.bytesIn("removed")]).toEqual([3, 4, 8]);
    expect(entries.presentBytes).toBe(7);
  });

  it("keep the reason of a problem until their state changes", () => {
    const entries = entriesOf([1]);
    const refusal = new Error("Not now.");
    entries.setPhase(0, "changed", refusal);
    expect(entries.reason(0)).toBe(refusal);
    entries.setPhase(0, "waiting");
    expect(entries.reason(0)).toBeNull();
  });

  it("of a pack advance one after the other", () => {
    const sent = new Map([[7, 150]]);
    const entries = entriesOf([100, 100, 100], sent);
    for (const n of [0, 1, 2]) {
      entries.assign(n, 7, 100 * n);
      entries.setPhase(n, "sending");
    }
    expect([0, 1, 2].map((n) => entries.percent(n))).toEqual([100, 50, 0]);
  });

  it("list what waits and has bytes", () => {
    const entries = entriesOf([5, 0, 6, 7]);
    entries.setPhase(2, "planned");
    expect(entries.listWaiting()).toEqual([
      { n: 0, size: 5 },
      { n: 3, size: 7 },
    ]);
  });

  it("keep their state when there are many of them, and change their version with their list alone", () => {
    const entries = entriesOf(Array.from({ length: 1000 }, (_, n) => n));
    const { listVersion } = entries;
    entries.setPhase(999, "stored");
    expect([entries.length, entries.state(999), entries.sizeBytes(999), entries.state(0)]).toEqual([
      1000,
      "stored",
      999,
      "waiting",
    ]);
    expect(entries.listVersion).toBe(listVersion);
    entries.setPhase(1, "removed");
    expect(entries.listVersion).not.toBe(listVersion);
  });
});
