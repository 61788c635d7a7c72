import { describe, expect, it } from "vitest";
import { forEachFile } from "#app/features/files/for-each-file.ts";
import type { ListedFile } from "#domain/wire.ts";

const listed = (id: string): ListedFile => ({
  id,
  filename: id,
  size: 1,
  uploadedAt: "2026-01-31T12:00:00.000Z",
  expiresAt: null,
  isExpired: false,
  downloadId: id,
  downloadCount: 0,
  expiration: "1d",
});

describe("a change of several links", () => {
  it("goes on after a failure, tells its progress, and names what failed in its order [FIND-7]", async () => {
    const files = ["a", "b", "c", "d", "e", "f"].map(listed);
    const changed: string[] = [];
    const progress: number[] = [];
    const failed = await forEachFile(
      files,
      ({ id }) => {
        if (id === "e") return Promise.reject(new Error("Out of order"));
        if (id === "b") return Promise.reject(new Error(""));
        changed.push(id);
        return Promise.resolve();
      },
      "It failed.",
      (done) => progress.push(done),
    );
    expect(changed.toSorted()).toEqual(["a", "c", "d", "f"]);
    expect(failed).toEqual([
      { file: files[1], reason: "It failed." },
      { file: files[4], reason: "Out of order" },
    ]);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("makes at most four calls at once [FIND-7]", async () => {
    const ends: (() => void)[] = [];
    const work = forEachFile(
      Array.from({ length: 6 }, (_, n) => listed(String(n))),
      () => new Promise<void>((resolve) => ends.push(resolve)),
      "",
      () => undefined,
    );
    expect(ends).toHaveLength(4);
    while (ends.length > 0) {
      ends.shift()?.();
      await Promise.resolve();
      // Lets the calls that wait begin.
      await new Promise((resolve) => setImmediate(resolve));
      expect(ends.length).toBeLessThanOrEqual(4);
    }
    expect(await work).toEqual([]);
  });
});
