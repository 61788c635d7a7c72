import type { ReconciliationReport } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { findLastReconciliation, listFindings } from "../db/reconciliation.ts";

const SHOWN_FINDINGS = 100;

/** How the last reconciliation came out, and what stands in the list of findings. */
export async function getReconciliation({ db }: Services): Promise<ReconciliationReport> {
  const [reconciliation, findings] = await Promise.all([findLastReconciliation(db), listFindings(db, SHOWN_FINDINGS)]);
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
