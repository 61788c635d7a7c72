import { describe, expect, it } from "vitest";
import { readBusyLink } from "#worker/links/busy-links.ts";
import type { FileRow } from "#worker/db/files.ts";

/** A link whose reads are counted. */
function createLink() {
  const id = crypto.randomUUID();
  const link = {
    reads: 0,
    row: { filename: "first" } as FileRow | null,
    /** Opens the link at a time, in milliseconds. */
    open: (at: number, isShared = true, read = () => Promise.resolve(link.row)) =>
      readBusyLink(
        id,
        at,
        () => {
          link.reads += 1;
          return read();
        },
        () => isShared,
      ),
    /** Opens it `count` times in the second that begins at a time. */
    async openOften(from: number, count: number, isShared = true) {
      for (let n = 0; n < count; n += 1) await link.open(from + Math.floor((n * 1000) / count), isShared);
    },
  };
  return link;
}

describe("a link that is opened often in one isolate", () => {
  it("is read each time up to 20 openings a second", async () => {
    const link = createLink();
    for (const second of [0, 1000, 2000]) await link.openOften(second, 20);
    expect(link.reads).toBe(60);
  });

  it("is read at most twice a second above that", async () => {
    const link = createLink();
    await link.openOften(0, 2000);
    link.reads = 0;
    for (const second of [1000, 2000, 3000, 4000]) await link.openOften(second, 2000);
    expect(link.reads).toBeLessThanOrEqual(5);
  });

  it("shows a change within a second", async () => {
    const link = createLink();
    await link.openOften(0, 2000);
    link.row = null;
    await link.openOften(1000, 2000);
    expect(await link.open(2000)).toBe(null);
  });

  it("is read each time if its row may not be shared", async () => {
    const link = createLink();
    await link.openOften(0, 100, false);
    expect(link.reads).toBe(100);
  });

  it("waits for no reading of another opening, which may never end", async () => {
    const link = createLink();
    await link.openOften(0, 100);
    const never = new Promise<FileRow | null>(() => undefined);
    void link.open(900, true, () => never);
    expect(await link.open(950)).toEqual({ filename: "first" });
    link.row = null;
    expect(await link.open(1900)).toBe(null);
  });

  it("is read each time again when it is no longer opened often", async () => {
    const link = createLink();
    await link.openOften(0, 100);
    link.reads = 0;
    await link.openOften(5000, 10);
    expect(link.reads).toBe(10);
  });
});
