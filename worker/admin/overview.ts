import { PLAN_IDS, type PlanId } from "#domain/plans.ts";
import { DAY_MS, HOUR_MS, utcDay } from "#domain/units.ts";
import type { Overview, OverviewDay, OverviewQuery } from "#domain/wire.ts";
import {
  findPlanNumbersTime,
  readOverview,
  updateOverviewDay,
  updatePlanNumbers,
  type DayRange,
} from "../db/overview.ts";
import { readDatabaseFill } from "../diagnostics/database-size.ts";
import type { Services } from "../services.ts";
import { getOrphanAlert } from "./reconciliation.ts";

/** An hour, because counting per plan scans all stored files. */
const PLAN_NUMBERS_INTERVAL_MS = HOUR_MS;

/** Counts only today's uploads, because the totals of earlier days are stored. @param now epoch milliseconds */
export async function getOverview(services: Services, { days }: OverviewQuery, now: number): Promise<Overview> {
  const requestedDays = Array.from({ length: Number(days) }, (_, index) =>
    utcDay(now - (Number(days) - 1 - index) * DAY_MS),
  );
  const [overview, orphanAlert, database] = await Promise.all([
    readOverview(services.db, requestedDays[0] ?? utcDay(now), utcDayRange(now)),
    getOrphanAlert(services, now),
    readDatabaseFill(services, now),
  ]);
  const totalsByDay = new Map(overview.days.map((row) => [row.day, row]));
  const [firstPlan] = overview.plans;
  return {
    days: requestedDays.map((day) => ({
      ...(totalsByDay.get(day) ?? { day, uploads: 0, bytes: 0, failed: 0, rejected: 0, downloads: 0, blocked: 0 }),
      stored: storedOn(day, overview.stored),
    })),
    storage: firstPlan
      ? {
          takenAt: firstPlan.takenAt.toISOString(),
          plans: PLAN_IDS.map((planType) => {
            const { users = 0, files = 0, bytes = 0 } = overview.plans.find((row) => row.planType === planType) ?? {};
            return { planType, users, files, bytes };
          }),
        }
      : null,
    openReports: overview.openReports,
    unreadMessages: overview.unreadMessages,
    refusedMails: overview.refusedMails.map(({ failure, refusedAt, ...mail }) => ({
      ...mail,
      reason: failure ?? "",
      at: refusedAt?.toISOString() ?? "",
    })),
    orphanAlert,
    database,
  };
}

function storedOn(day: string, rows: { day: string; planType: PlanId; bytes: number }[]): OverviewDay["stored"] {
  const rowsOfDay = rows.filter((row) => row.day === day);
  if (rowsOfDay.length === 0) return null;
  const bytesOf = (plan: PlanId) => rowsOfDay.find(({ planType }) => planType === plan)?.bytes ?? 0;
  return Object.fromEntries(PLAN_IDS.map((plan) => [plan, bytesOf(plan)])) as Record<PlanId, number>;
}

/**
 * Updates today's totals, and in the first hour of a day also yesterday's. Counts per plan once an hour and on each new
 * day.
 * @param now epoch milliseconds
 * @returns whether plans were counted
 */
export async function refreshOverview({ db }: Services, now: number): Promise<boolean> {
  await updateOverviewDay(db, utcDayRange(now));
  if (now % DAY_MS < HOUR_MS) await updateOverviewDay(db, utcDayRange(now - DAY_MS));
  const takenAt = await findPlanNumbersTime(db);
  const today = utcDay(now);
  if (takenAt !== null && takenAt > now - PLAN_NUMBERS_INTERVAL_MS && utcDay(takenAt) === today) return false;
  await updatePlanNumbers(db, today, now);
  return true;
}

function utcDayRange(now: number): DayRange {
  const start = now - (now % DAY_MS);
  return { day: utcDay(now), start, end: start + DAY_MS };
}
