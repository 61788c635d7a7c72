import { PLAN_IDS, type PlanId } from "#domain/plans.ts";
import { DAY_MS, HOUR_MS, utcDay } from "#domain/units.ts";
import type { Overview, OverviewDay, OverviewQuery } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { findPlanNumbersAge, readOverview, recountDay, takePlanNumbers, type CountedDay } from "../db/overview.ts";
import { getOrphanAlert } from "./orphans.ts";

/** What is stored is counted so often: it is the one count that looks at every stored file. */
const PLAN_NUMBERS_KEPT_MS = HOUR_MS;

/**
 * Numbers by day, and what each plan stores. Only today is counted for it; the days before are rows.
 * @param now epoch milliseconds
 */
export async function getOverview(services: Services, { days }: OverviewQuery, now: number): Promise<Overview> {
  const wanted = Array.from({ length: Number(days) }, (_, index) => utcDay(now - (Number(days) - 1 - index) * DAY_MS));
  const [read, orphanAlert] = await Promise.all([
    readOverview(services.db, wanted[0] ?? utcDay(now), dayAround(now)),
    getOrphanAlert(services, now),
  ]);
  const known = new Map(read.days.map((row) => [row.day, row]));
  const [counted] = read.plans;
  return {
    days: wanted.map((day) => ({
      ...(known.get(day) ?? { day, uploads: 0, bytes: 0, failed: 0, rejected: 0, downloads: 0 }),
      stored: storedOn(day, read.stored),
    })),
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
    orphanAlert,
  };
}

function storedOn(day: string, rows: { day: string; planType: PlanId; bytes: number }[]): OverviewDay["stored"] {
  const counted = rows.filter((row) => row.day === day);
  if (counted.length === 0) return null;
  const bytesOf = (plan: PlanId) => counted.find(({ planType }) => planType === plan)?.bytes ?? 0;
  return { free: bytesOf("free"), professional: bytesOf("professional"), ultimate: bytesOf("ultimate") };
}

/**
 * For the cron: today's numbers and, in a day's first hour, yesterday's for good; what is stored, once an hour and with
 * each new day.
 * @param now epoch milliseconds
 * @returns whether what is stored was counted
 */
export async function refreshOverview({ db }: Services, now: number): Promise<boolean> {
  await recountDay(db, dayAround(now));
  if (now % DAY_MS < HOUR_MS) await recountDay(db, dayAround(now - DAY_MS));
  const takenAt = await findPlanNumbersAge(db);
  const today = utcDay(now);
  if (takenAt !== null && takenAt > now - PLAN_NUMBERS_KEPT_MS && utcDay(takenAt) === today) return false;
  await takePlanNumbers(db, today, now);
  return true;
}

function dayAround(now: number): CountedDay {
  const start = now - (now % DAY_MS);
  return { day: utcDay(now), start, end: start + DAY_MS };
}
