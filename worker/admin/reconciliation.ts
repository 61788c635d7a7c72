import type { ReconciliationReport } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { findLastReconciliation, listFindings } from "../db/reconciliation.ts";

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
