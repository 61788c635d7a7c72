import { REPORT_REASONS } from "#domain/wire.ts";
import { HOUR_MS } from "#domain/units.ts";
import { countModeration } from "../db/moderation-numbers.ts";
import type { Services } from "../services.ts";

/**
 * The numbers of a year for a public report (EU Digital Services Act, articles 15 and 24), as CSV: what was counted, by
 * what, and how many. Names nobody. @param year in UTC
 */
export async function moderationNumbers({ db }: Services, year: number): Promise<string> {
  const { reports, cases, decisions, medianMs } = await countModeration(db, Date.UTC(year, 0), Date.UTC(year + 1, 0));
  const rows: [string, string, string | number][] = [
    ...REPORT_REASONS.map((reason): [string, string, number] => ["reports received", reason, reports.get(reason) ?? 0]),
    ...[...cases].map(([what, count]): [string, string, number] => ["cases closed", what, count]),
    ...[...decisions].map(([what, count]): [string, string, number] => ["decisions mailed", what, count]),
    ["median hours until a report was decided", "", medianMs === null ? "" : Math.round(medianMs / HOUR_MS)],
  ];
  return ["what,by,count", ...rows.map((row) => row.join(","))].join("\r\n") + "\r\n";
}
