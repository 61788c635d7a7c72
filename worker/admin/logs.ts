import { safeFilename } from "#domain/file-names.ts";
import { DAY_MS } from "#domain/units.ts";
import type { AdminLogEntry, AdminLogQuery, Paged, SweepRun, UploadLogEntry, UploadLogQuery } from "#domain/wire.ts";
import { listAuditEntries } from "../db/admin-audit.ts";
import { listSweepRuns } from "../db/overview.ts";
import { toPage } from "../db/paging.ts";
import { listUploadEvents } from "../db/upload-audit.ts";
import type { Services } from "../services.ts";

const MAX_SWEEP_RUNS = 100;

export async function listUploadLog({ db }: Services, query: UploadLogQuery): Promise<Paged<UploadLogEntry>> {
  const since = query.from === undefined ? null : Date.parse(query.from);
  const until = query.to === undefined ? null : Date.parse(query.to) + DAY_MS;
  const listed = await listUploadEvents(db, query, since, until);
  return toPage(listed, ({ originalFilename, fileSize, entryCount, timestamp, startedAt, ...row }) => ({
    ...row,
    // A form upload that is rejected before its file part has no name.
    filename: originalFilename === "" ? "" : safeFilename(originalFilename),
    size: fileSize,
    entries: entryCount,
    timestamp: timestamp.toISOString(),
    startedAt: row.errorCode === "STARTED" ? null : (startedAt?.toISOString() ?? null),
  }));
}

export async function listAdminLog({ db }: Services, query: AdminLogQuery): Promise<Paged<AdminLogEntry>> {
  return toPage(await listAuditEntries(db, query), (row) => ({ ...row, at: row.at.toISOString() }));
}

export async function listLastRuns({ db }: Services): Promise<SweepRun[]> {
  const rows = await listSweepRuns(db, MAX_SWEEP_RUNS);
  return rows.map(({ startedAt, failed, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    failed: failed === "" ? [] : failed.split(","),
  }));
}
