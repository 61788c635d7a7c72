import { safeFilename } from "#domain/safe-filename.ts";
import { DAY_MS } from "#domain/units.ts";
import type { AdminLogEntry, AdminLogQuery, Paged, SweepRun, UploadLogEntry, UploadLogQuery } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { listAuditEntries } from "../db/admin-audit.ts";
import { listUploadEvents } from "../db/upload-audit.ts";
import { listSweepRuns } from "../db/overview.ts";
import { paged } from "./paging.ts";

const SHOWN_RUNS = 100;

/** A page of uploads' events, newest first. */
export async function listUploadLog({ db }: Services, query: UploadLogQuery): Promise<Paged<UploadLogEntry>> {
  const since = query.from === undefined ? null : Date.parse(query.from);
  const until = query.to === undefined ? null : Date.parse(query.to) + DAY_MS;
  const { rows, total } = await listUploadEvents(db, query, since, until);
  const items = rows.map(({ originalFilename, fileSize, timestamp, ...row }) => ({
    ...row,
    // A form that was refused before its file came has no name.
    filename: originalFilename === "" ? "" : safeFilename(originalFilename),
    size: fileSize,
    timestamp: timestamp.toISOString(),
  }));
  return paged(items, query.page, total);
}

/** A page of what administrators did, newest first. */
export async function listAdminLog({ db }: Services, query: AdminLogQuery): Promise<Paged<AdminLogEntry>> {
  const { rows, total } = await listAuditEntries(db, query);
  return paged(
    rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    query.page,
    total,
  );
}

/** The cron's last hundred runs, newest first. */
export async function listLastRuns({ db }: Services): Promise<SweepRun[]> {
  const rows = await listSweepRuns(db, SHOWN_RUNS);
  return rows.map(({ startedAt, failed, ...row }) => ({
    ...row,
    startedAt: startedAt.toISOString(),
    failed: failed === "" ? [] : failed.split(","),
  }));
}
