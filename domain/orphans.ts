import { DAY_MS } from "./units.ts";

/** An orphan is an object under `files/` without a row (decision 023). An orphan of this age is deleted. */
export const ORPHAN_RETENTION_MS = 7 * DAY_MS;

/** More orphans than this in one reconciliation suggest the wrong database, not leftovers of crashes. */
export const MAX_ORPHANS = 100;

/** A share of orphans above this among the objects of one window suggests the wrong database, too. */
const MAX_ORPHAN_SHARE = 0.01;

export interface KnownOrphan {
  key: string;
  /** Epoch milliseconds. */
  firstSeenAt: number;
  /** Whether an administrator has confirmed the deletion of this orphan. */
  isApproved: boolean;
}

/** A range of keys that one step of the reconciliation compares with the database. */
export interface OrphanWindow {
  /** The keys of this window's orphans. */
  orphans: string[];
  /** The orphans of this window that an earlier reconciliation recorded. */
  known: KnownOrphan[];
  objects: number;
  /** Unapproved orphans of all windows older than `ORPHAN_RETENTION_MS`. Counting may stop above `MAX_ORPHANS`. */
  due: number;
  /** Totals of this reconciliation's earlier windows. */
  before: { firstSeen: number; deletedUnapproved: number; hasStopped: boolean };
}

export interface OrphanDecision {
  /** Keys to delete now, approved and unapproved. */
  deleted: string[];
  deletedUnapproved: number;
  firstSeen: string[];
  unapproved: number;
  /** Whether there are too many orphans, so that from now on this reconciliation deletes only approved orphans. */
  stops: boolean;
}

/** Deletes orphans older than `ORPHAN_RETENTION_MS`, or only approved ones once there are too many orphans. */
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
