import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { StoredSha256 } from "#worker/storage/sha256.ts";

const expected = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

it("is the SHA-256 of Node for every length around a block, in one piece and in many", () => {
  const bytes = randomBytes(300);
  for (let length = 0; length <= bytes.length; length += 1) {
    const part = bytes.subarray(0, length);
    expect([length, new StoredSha256().update(part).digest()]).toEqual([length, expected(part)]);
    const inBytes = new StoredSha256();
    for (let at = 0; at < length; at += 7) inBytes.update(part.subarray(at, at + 7));
    expect([length, inBytes.digest()]).toEqual([length, expected(part)]);
  }
});

it("goes on from a stored state, and leaves that state as it was", () => {
  const bytes = randomBytes(5000);
  for (const stop of [0, 64, 1984, 4992]) {
    const state = structuredClone(new StoredSha256().update(bytes.subarray(0, stop)).state());
    expect(state.bytes).toBe(stop);
    for (const round of [1, 2]) {
      expect([round, new StoredSha256(state).update(bytes.subarray(stop)).digest()]).toEqual([round, expected(bytes)]);
    }
  }
});

it("has no state in the middle of a block", () => {
  expect(() => new StoredSha256().update(new Uint8Array(65)).state()).toThrow("65 bytes are no whole blocks");
});

it("counts the bits of a file of more than 512 MiB", { tags: "long" }, () => {
  const zeros = new Uint8Array(1024 * 1024);
  const [ours, nodes] = [new StoredSha256(), createHash("sha256")];
  for (let mib = 0; mib < 513; mib += 1) {
    ours.update(zeros);
    nodes.update(zeros);
  }
  expect(ours.digest()).toBe(nodes.digest("hex"));
});
