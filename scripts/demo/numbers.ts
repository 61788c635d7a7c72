import { PLAN_IDS, type PlanId } from "#domain/plans.ts";
import { DAY_MS, GIB, MIB, utcDay } from "#domain/units.ts";
import { queryLocally } from "../local-query.ts";

const DAYS = 91;
/** The bytes that each plan stores at the end of three months, and the share of them on the first day. */
const STORED: Record<PlanId, number> = { free: 90 * GIB, professional: 640 * GIB, ultimate: 1100 * GIB };
const FIRST_DAY_SHARE = 0.3;

/**
 * Fills the overview of the days before today; the cron counts today itself. Days that have numbers keep their numbers.
 * @param now epoch milliseconds
 */
export async function fillNumbers(origin: string, now: number): Promise<void> {
  const days = Array.from({ length: DAYS }, (_, index) => ({ index, at: now - (DAYS - index) * DAY_MS }));
  const totals = days.map(({ index, at }) => {
    const uploads = Math.round(weekly(at) * (60 + index * 1.4) * (1 + ripple(index)));
    const failed = Math.round(uploads * (0.02 + 0.01 * ripple(index + 5)));
    const rejected = Math.round(uploads * 0.03);
    const downloads = Math.round(uploads * (3.2 + ripple(index + 9)));
    return `('${utcDay(at)}', ${uploads}, ${uploads * 84 * MIB}, ${failed}, ${rejected}, ${downloads})`;
  });
  const stored = days.flatMap(({ index, at }) =>
    PLAN_IDS.map((plan) => {
      const share = FIRST_DAY_SHARE + (1 - FIRST_DAY_SHARE) * (index / DAYS) + 0.04 * ripple(index);
      return `('${utcDay(at)}', '${plan}', ${Math.round(STORED[plan] * share)})`;
    }),
  );
  await queryLocally(
    `insert or ignore into overview_days (day, uploads, bytes, failed, rejected, downloads) values ${totals.join(", ")}`,
    origin,
  );
  await queryLocally(`insert or ignore into plan_days (day, plan_type, bytes) values ${stored.join(", ")}`, origin);
}

/** The day's share of a working day, because fewer people work at the weekend. */
function weekly(at: number): number {
  const day = new Date(at).getUTCDay();
  return day === 0 || day === 6 ? 0.45 : 1;
}

/** A variation from -0.2 to 0.2 that is the same at each run. */
function ripple(index: number): number {
  return 0.2 * Math.sin(index * 12.9898);
}
