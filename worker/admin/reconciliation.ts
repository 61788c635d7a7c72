import type { ReconciliationReport, AdminViewer, OrphanAlert } from "#domain/wire.ts";
import { approveOrphans as approveOrphanRows, findUnapprovedOrphans } from "../db/orphans.ts";
import { findLastReconciliation, listFindings } from "../db/reconciliation.ts";
import type { Services } from "../services.ts";

const MAX_FINDINGS = 100;

export async function getReconciliation({ db }: Services): Promise<ReconciliationReport> {
  const [reconciliation, findings] = await Promise.all([findLastReconciliation(db), listFindings(db, MAX_FINDINGS)]);
  return {
    last: reconciliation && {
      startedAt: reconciliation.startedAt.toISOString(),
      finishedAt: reconciliation.finishedAt?.toISOString() ?? null,
      objects: reconciliation.objects,
      rows: reconciliation.rows,
      orphans: reconciliation.orphans,
      lost: reconciliation.lost,
      stoppedAt: reconciliation.stoppedAt?.toISOString() ?? null,
    },
    findings: findings.map(({ kind, s3Key, fileId, sizeBytes, foundAt, lastSeenAt }) => ({
      kind,
      s3Key,
      fileId,
      size: sizeBytes,
      foundAt: foundAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
  };
}

/** @param now epoch milliseconds @returns null when no orphans await approval */
export async function getOrphanAlert({ db }: Services, now: number): Promise<OrphanAlert | null> {
  const unapproved = await findUnapprovedOrphans(db);
  if (!unapproved) return null;
  return {
    orphans: unapproved.count,
    bytes: unapproved.sizeBytes,
    since: unapproved.since.toISOString(),
    asOf: new Date(now).toISOString(),
  };
}

/**
 * Approves the orphans that the administrator saw: those first seen until `asOf` (epoch milliseconds, at most `now`).
 * @returns how many orphans were newly approved
 */
export async function approveOrphans({ db }: Services, admin: AdminViewer, asOf: number, now: number): Promise<number> {
  const until = Math.min(asOf, now);
  const details = `first seen until ${new Date(until).toISOString()}`;
  return approveOrphanRows(db, until, { admin, action: "orphans.approve", target: "", details, at: now });
}
