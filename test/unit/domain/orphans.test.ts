import { describe, expect, it } from "vitest";
import { decideOnOrphans, type KnownOrphan, type OrphanWindow } from "#domain/orphans.ts";

const DAY = 86_400_000;
const NOW = 100 * DAY;
const BEFORE = { firstSeen: 0, deletedUnapproved: 0, hasStopped: false };

function known(key: string, ageMs: number, isApproved = false): KnownOrphan {
  return { key, firstSeenAt: NOW - ageMs, isApproved };
}

function named(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `files/${index}`);
}

function decide(window: Partial<OrphanWindow>) {
  return decideOnOrphans({ orphans: [], known: [], objects: 1000, due: 0, before: BEFORE, ...window }, NOW);
}

describe("orphans of a reconciliation window", () => {
  it("are deleted 7 days after they were first seen, and recorded when they are new", () => {
    const orphans = ["files/new", "files/young", "files/old"];
    const window = { orphans, known: [known("files/young", 7 * DAY - 1), known("files/old", 7 * DAY)], due: 1 };
    expect(decide(window)).toEqual({
      deleted: ["files/old"],
      deletedUnapproved: 1,
      firstSeen: ["files/new"],
      unapproved: 3,
      stops: false,
    });
  });

  it.each([
    { of: "10 of 1,000 objects", count: 10, objects: 1000, stops: false },
    { of: "11 of 1,000 objects", count: 11, objects: 1000, stops: true },
    { of: "1 of 100 objects", count: 1, objects: 100, stops: false },
    { of: "1 of 99 objects", count: 1, objects: 99, stops: true },
    { of: "1 of 1 object", count: 1, objects: 1, stops: true },
    { of: "none of no objects", count: 0, objects: 0, stops: false },
  ])("stop deletion when they are more than 1 percent: $of", ({ count, objects, stops }) => {
    expect(decide({ orphans: named(count), objects }).stops).toBe(stops);
  });

  it.each([
    { what: "100 first seen in one reconciliation", before: { firstSeen: 99 }, due: 0, stops: false },
    { what: "101 first seen in one reconciliation", before: { firstSeen: 100 }, due: 0, stops: true },
    { what: "100 due", before: {}, due: 100, stops: false },
    { what: "101 due", before: {}, due: 101, stops: true },
    { what: "60 deleted and 40 due", before: { deletedUnapproved: 60 }, due: 40, stops: false },
    { what: "60 deleted and 41 due", before: { deletedUnapproved: 60 }, due: 41, stops: true },
    { what: "an earlier window with too many", before: { hasStopped: true }, due: 1, stops: true },
  ])("stop deletion, or not, after $what", ({ before, due, stops }) => {
    const orphans = ["files/new", "files/old"];
    const window = { orphans, known: [known("files/old", 8 * DAY)], due, before: { ...BEFORE, ...before } };
    expect(decide(window)).toMatchObject({ stops, deleted: stops ? [] : ["files/old"] });
  });

  it("are deleted in any number when they are approved, do not count towards the limits, and wait 7 days too", () => {
    const orphans = named(500);
    const approved = orphans.map((key, index) => known(key, index === 0 ? 7 * DAY - 1 : 7 * DAY, true));
    const expected = { deleted: orphans.slice(1), deletedUnapproved: 0, firstSeen: [], unapproved: 0 };
    expect(decide({ orphans, known: approved, objects: 500 })).toEqual({ ...expected, stops: false });
    const stopped = { ...BEFORE, hasStopped: true };
    expect(decide({ orphans, known: approved, objects: 500, before: stopped })).toEqual({ ...expected, stops: true });
  });
});
