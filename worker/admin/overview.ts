import { PLAN_IDS } from "#domain/plans.ts";
import { DAY_MS, HOUR_MS, utcDay } from "#domain/units.ts";
import type { Overview, OverviewQuery } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import { findPlanNumbersAge, readOverview, recountDay, takePlanNumbers, type CountedDay } from "../db/overview.ts";

/** What is stored is counted so often: it is the one count that looks at every stored file. */
const PLAN_NUMBERS_KEPT_MS = HOUR_MS;

/**
 * Numbers by day, and what each plan stores. Only today is counted for it; the days before are rows.
 * @param now epoch milliseconds
 */
export async function getOverview({ db }: Services, { days }: OverviewQuery, now: number): Promise<Overview> {
  const wanted = Array.from({ length: Number(days) }, (_, index) => utcDay(now - (Number(days) - 1 - index) * DAY_MS));
  const read = await readOverview(db, wanted[0] ?? utcDay(now), dayAround(now));
  const known = new Map(read.days.map((row) => [row.day, row]));
  const [counted] = read.plans;
  return {
    days: wanted.map((day) => known.get(day) ?? { day, uploads: 0, bytes: 0, failed: 0, rejected: 0, downloads: 0 }),
    storage: counted
      ? {
          takenAt: counted.takenAt.toISOString(),
          plans: PLAN_IDS.map((planType) => {
            const { users = 0, files = 0, bytes = 0 } = read.plans.find((row) => row.planType === planType) ?? {};
            return { planType, users, files, bytes };
          }),
        }
      : null,
    openReports: read.openReports,
    unreadMessages: read.unreadMessages,
  };
}

/**
 * For the cron: today's numbers and, in a day's first hour, yesterday's for good; what is stored, once an hour.
 * @param now epoch milliseconds
 * @returns whether what is stored was counted
 */
export async function refreshOverview({ db }: Services, now: number): Promise<boolean> {
  await recountDay(db, dayAround(now));
  if (now % DAY_MS < HOUR_MS) await recountDay(db, dayAround(now - DAY_MS));
  const takenAt = await findPlanNumbersAge(db);
  if (takenAt !== null && takenAt > now - PLAN_NUMBERS_KEPT_MS) return false;
  await takePlanNumbers(db, now);
  return true;
}

function dayAround(now: number): CountedDay {
  const start = now - (now % DAY_MS);
  return { day: utcDay(now), start, end: start + DAY_MS };
}
