import { expect, it } from "vitest";
import { layOutZip } from "#domain/zip.ts";
import { ArchiveCache } from "#worker/downloads/archive-cache.ts";

const place = { sizeBytes: 0, modifiedMs: 0, object: null, offset: 0, crc32: 0 };

async function archiveWith(removedPaths: number) {
  const living = { ...place, path: "a.txt", removedAt: null };
  const removed = Array.from({ length: removedPaths }, (_, n) => ({
    ...place,
    path: `${n}${"x".repeat(1000)}`,
    removedAt: 1,
  }));
  return { places: [living, ...removed], layout: await layOutZip([living]) };
}

it("the cache of archives counts the paths of removed files", async () => {
  const cache = new ArchiveCache(100_000);
  cache.add("few", "etag", await archiveWith(20));
  cache.add("many", "etag", await archiveWith(60));
  expect(cache.get("few", "etag")).not.toBeNull();
  expect(cache.get("many", "etag")).toBeNull();
});
