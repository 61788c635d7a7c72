import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "#engine/transfer/transfer-list.ts";

const LIST = [
  { path: "b/ü.txt", sizeBytes: 5, modifiedMs: 1000 },
  { path: "a.txt", sizeBytes: 0, modifiedMs: -1 },
];

describe("a list's fingerprint", () => {
  it("is the SHA-256 of its lines in the order of the paths", async () => {
    const lines = "a.txt\u00000\u0000-1\nb/ü.txt\u00005\u00001000\n";
    expect(await fingerprintOf(LIST)).toBe(createHash("sha256").update(lines).digest("hex"));
  });

  it("does not depend on the list's order", async () => {
    expect(await fingerprintOf(LIST.toReversed())).toBe(await fingerprintOf(LIST));
  });

  it.each([{ path: "c.txt" }, { sizeBytes: 1 }, { modifiedMs: 0 }])("changes with %j", async (change) => {
    const changed = LIST.map((entry, index) => (index === 0 ? { ...entry, ...change } : entry));
    expect(await fingerprintOf(changed)).not.toBe(await fingerprintOf(LIST));
  });
});
