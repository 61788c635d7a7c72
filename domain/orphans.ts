import { DAY_MS } from "./units.ts";

/** An orphan is an object under `files/` that no row wants. These are the rules that decide when it may be deleted. */

/** An orphan is deleted when it still is one so long after the reconciliation first saw it. */
export const ORPHAN_RETENTION_MS = 7 * DAY_MS;

/** More orphans than this in one reconciliation are not leftovers of crashes: the database may be the wrong one. */
export const MAX_ORPHANS = 100;

/** So are more orphans than this share of the objects in one window. */
export const MAX_ORPHAN_SHARE = 0.01;

/** What the reconciliation knows of an orphan that it has seen before. */
export interface KnownOrphan {
  key: string;
  /** Epoch milliseconds. */
  firstSeenAt: number;
  /** Whether an administrator has confirmed its deletion. */
  isApproved: boolean;
}

/** One window as the reconciliation found it, and where the whole reconciliation stands. */
export interface OrphanWindow {
  /** Keys of the window's orphans. */
  orphans: string[];
  /** Those orphans of the window's range of keys that have been seen before. */
  known: KnownOrphan[];
  /** How many objects the window has. */
  objects: number;
  /** Unapproved orphans, of whatever window, that have been known for `ORPHAN_RETENTION_MS`; counting may end above `MAX_ORPHANS`. */
  due: number;
  /** What this reconciliation has done before this window. */
  before: { firstSeen: number; deletedUnapproved: number; hasStopped: boolean };
}

/** What becomes of a window's orphans. */
export interface OrphanDecision {
  /** Keys to delete now, approved ones and others. */
  deleted: string[];
  /** How many of them nobody has approved. */
  deletedUnapproved: number;
  /** Keys that were seen for the first time. */
  firstSeen: string[];
  /** Orphans of this window that nobody has approved. */
  unapproved: number;
  /** Whether there are too many: then only approved ones are deleted, here and in the rest of this reconciliation. */
  stops: boolean;
}

/**
 * Decides what becomes of a window's orphans. An orphan goes when it has been known for `ORPHAN_RETENTION_MS`; unless it is
 * approved, only as long as there are no more orphans than leftovers can be.
 * @param now epoch milliseconds
 */
export function decideOnOrphans(window: OrphanWindow, now: number): OrphanDecision {
  const { orphans, objects, due, before } = window;
  const known = new Map(window.known.map((orphan) => [orphan.key, orphan]));
  const firstSeen = orphans.filter((key) => !known.has(key));
  const unapproved = orphans.filter((key) => !known.get(key)?.isApproved);
  const stops =
    before.hasStopped ||
    unapproved.length > objects * MAX_ORPHAN_SHARE ||
    before.firstSeen + firstSeen.length > MAX_ORPHANS ||
    before.deletedUnapproved + due > MAX_ORPHANS;
  const deleted = orphans.filter((key) => {
    const orphan = known.get(key);
    if (!orphan || orphan.firstSeenAt > now - ORPHAN_RETENTION_MS) return false;
    return orphan.isApproved || !stops;
  });
  const deletedUnapproved = deleted.filter((key) => !known.get(key)?.isApproved).length;
  return { deleted, deletedUnapproved, firstSeen, unapproved: unapproved.length, stops };
}
