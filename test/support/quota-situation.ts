import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { limitFor } from "#domain/plans.ts";
import { rowOf } from "./worker.ts";

/** What the account may use. */
export const PLAN = limitFor("free");

/** Columns of the table `files`. */
export interface StoredRow {
  id: string;
  size: number;
  status: string;
  request_id: string | null;
  reserved_period_start: number;
  deleted_at: number | null;
  s3_deleted_at: number | null;
}

interface Month {
  bytes: number;
  transfers: number;
  startsAt: number;
  endsAt: number;
}

/** The rows are on D1's disk, and whatever the product answers is compared with them. */
export interface Situation {
  month: Month;
  rows: StoredRow[];
}

/** What D1 holds of an account. */
export async function readSituation(userId: string): Promise<Situation> {
  const month = await monthOf(userId);
  const sql = `select id, size, status, request_id, reserved_period_start, deleted_at, s3_deleted_at from files
    where user_id = ? order by rowid`;
  const { results: rows } = await env.DB.prepare(sql).bind(userId).all<StoredRow>();
  return { month, rows };
}

/** Compares what the account has used with the rows that count. @param after what was done */
export function checkMonth({ month, rows }: Situation, after: object): void {
  const counted = rows.filter(
    ({ status, reserved_period_start: at }) => at === month.startsAt && (status === "uploading" || status === "ready"),
  );
  const sums = { bytes: bytesOf(counted), transfers: counted.filter((row) => !isGivenBack(row)).length };
  expect({ bytes: month.bytes, transfers: month.transfers }, `the month after ${JSON.stringify(after)}`).toEqual(sums);
  expect(month.bytes).toBeLessThanOrEqual(PLAN.monthBytes);
  expect(month.transfers).toBeLessThanOrEqual(PLAN.monthTransfers);
}

function monthOf(userId: string): Promise<Month> {
  return rowOf(
    `select monthly_upload_total as bytes, monthly_transfer_count as transfers, current_period_start as startsAt,
      current_period_end as endsAt from users where id = ?`,
    userId,
  );
}

/** What came through a request, and was deleted without a look, gives its upload back, and not its bytes. */
export function isGivenBack({ request_id, deleted_at }: StoredRow): boolean {
  return request_id !== null && deleted_at !== null;
}

/** Whether its bytes are stored and wanted. */
export function isThere({ status, deleted_at, s3_deleted_at }: StoredRow): boolean {
  return status === "ready" && deleted_at === null && s3_deleted_at === null;
}

export function bytesOf(rows: StoredRow[]): number {
  return rows.reduce((sum, { size }) => sum + size, 0);
}
