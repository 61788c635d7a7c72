import { describe, expect, it } from "vitest";
import { chunkCounts, chunkSizeFor, isMultipart, MAX_PARTS, partLength, partRange, planParts } from "#domain/parts.ts";
import { LARGEST_FILE_BYTES } from "#domain/plans.ts";

const KB = 1024;
const MB = 1024 ** 2;
const GB = 1024 ** 3;

describe("splitting a file into parts", () => {
  it.each([
    [0, 0, 1],
    [1, 1, 1],
    [16 * MB - 1, 16 * MB - 1, 1],
    [16 * MB, 16 * MB, 1],
    [16 * MB + 1, 8 * MB, 3],
    [24 * MB, 8 * MB, 3],
    [24 * MB + 1, 8 * MB, 4],
    [GB - 1, 8 * MB, 128],
    [GB, 16 * MB, 64],
    [GB + 1, 16 * MB, 65],
    [50 * GB, 16 * MB, 3200],
  ])("%d bytes: parts of %d, %d of them", (sizeBytes, partSizeBytes, partCount) => {
    expect(planParts(sizeBytes)).toEqual({ partSizeBytes, partCount });
    expect(isMultipart(sizeBytes)).toBe(partCount > 1);
  });

  it.each([1, 16 * MB, 16 * MB + 1, 17 * MB, 64 * MB - 1, 64 * MB, GB - 1, GB, GB + 1, LARGEST_FILE_BYTES])(
    "%d bytes: every byte is in exactly one part, and all parts have a size that R2 accepts",
    (sizeBytes) => {
      const { partSizeBytes, partCount } = planParts(sizeBytes);
      let next = 0;
      for (let part = 1; part <= partCount; part += 1) {
        const { start, end } = partRange(sizeBytes, part);
        expect(start).toBe(next);
        expect(partLength(sizeBytes, part)).toBe(end - start);
        if (part < partCount) expect(end - start).toBe(partSizeBytes);
        else expect(end - start).toBeGreaterThan(0);
        next = end;
      }
      expect(next).toBe(sizeBytes);
      if (partCount > 1) expect(partSizeBytes).toBeGreaterThanOrEqual(5 * MB);
      expect(partCount).toBeLessThanOrEqual(MAX_PARTS);
    },
  );
});

describe("an upload's chunks", () => {
  it.each([
    [0, undefined, 256 * KB],
    [16 * MB, undefined, 256 * KB],
    [16 * MB + 1, undefined, MB],
    [256 * MB, undefined, MB],
    [256 * MB + 1, undefined, 8 * MB],
    [5, 256 * KB, 256 * KB],
    [5, 256 * KB - 1, 128 * KB],
    [5, 64 * KB, 64 * KB],
    [5, 64 * KB - 1, 64 * KB],
    [5, 1, 64 * KB],
    [5, 8 * MB, 256 * KB],
    [17 * MB, 256 * KB, 256 * KB],
    [17 * MB, 64 * KB, 64 * KB],
    [257 * MB, 8 * MB - 1, 4 * MB],
    [257 * MB, 2 * MB, 2 * MB],
    [257 * MB, 64 * KB, 64 * KB],
  ])("%d bytes, chunks of %d at most: %d", (sizeBytes, maxBytes, chunkBytes) => {
    expect(chunkSizeFor(sizeBytes, maxBytes)).toBe(chunkBytes);
    expect((8 * MB) % chunkBytes).toBe(0);
  });

  it.each([
    [0, 0, 1],
    [1, 1, 1],
    [64 * KB, 1, 1],
    [64 * KB + 1, 1, 2],
    [1000, 1, 1],
    [8 * MB, 1, 128],
    [8 * MB + 1, 2, 129],
    [500 * MB, 63, 8000],
  ])("%d bytes are sent in %d to %d chunks", (sizeBytes, min, max) => {
    expect(chunkCounts(sizeBytes)).toEqual({ min, max });
  });
});
