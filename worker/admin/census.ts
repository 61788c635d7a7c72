import type { CensusReport } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import { findLastCensus, listFindings } from "../db/census.ts";

const SHOWN_FINDINGS = 100;

/** How the last census came out, and what stands in the list of findings. */
export async function getCensus({ db }: Services): Promise<CensusReport> {
  const [census, findings] = await Promise.all([findLastCensus(db), listFindings(db, SHOWN_FINDINGS)]);
  return {
    last: census && {
      startedAt: census.startedAt.toISOString(),
      finishedAt: census.finishedAt?.toISOString() ?? null,
      objects: census.objects,
      rows: census.rows,
      orphans: census.orphans,
      lost: census.lost,
      stoppedAt: census.stoppedAt?.toISOString() ?? null,
    },
    findings: findings.map(({ kind, s3Key, fileId, sizeBytes, foundAt, lastSeenAt }) => ({
      ...{ kind, s3Key, fileId, size: sizeBytes },
      foundAt: foundAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
  };
}
