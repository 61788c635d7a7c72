import { LARGEST_FILE_BYTES, limitFor, PLANS, type PlanId } from "#domain/plans.ts";
import type { TransferList, TransferListEntry } from "#engine/transfer/transfer-list.ts";

/** The reasons why a plan does not allow a transfer. `anyPlan`: a larger plan would not help either. */
export type PlanProblem =
  | { kind: "count"; count: number; limit: number; anyPlan: boolean }
  | { kind: "sizes"; files: TransferListEntry[]; limitBytes: number; anyPlan: boolean }
  | { kind: "month"; limitBytes: number; anyPlan: boolean };

const MOST_ENTRIES = Math.max(...PLANS.map(({ limits }) => limits.entries));
const MOST_MONTH_BYTES = Math.max(...PLANS.map(({ limits }) => limits.monthBytes));

/** Checks a list before anything is sent. The server checks again, also against what is left of the month's limit. */
export function findPlanProblems({ entries, bytes }: TransferList, plan: PlanId): PlanProblem[] {
  const limits = limitFor(plan);
  const problems: PlanProblem[] = [];
  if (entries.length > limits.entries) {
    const anyPlan = entries.length > MOST_ENTRIES;
    problems.push({ kind: "count", count: entries.length, limit: anyPlan ? MOST_ENTRIES : limits.entries, anyPlan });
  }
  const overAll = entries.filter(({ sizeBytes }) => sizeBytes > LARGEST_FILE_BYTES);
  if (overAll.length > 0) {
    problems.push({ kind: "sizes", files: overAll, limitBytes: LARGEST_FILE_BYTES, anyPlan: true });
  }
  const overPlan = entries.filter(
    ({ sizeBytes }) => sizeBytes > limits.fileSizeBytes && sizeBytes <= LARGEST_FILE_BYTES,
  );
  if (overPlan.length > 0) {
    problems.push({ kind: "sizes", files: overPlan, limitBytes: limits.fileSizeBytes, anyPlan: false });
  }
  if (bytes > limits.monthBytes) {
    problems.push({ kind: "month", limitBytes: limits.monthBytes, anyPlan: bytes > MOST_MONTH_BYTES });
  }
  return problems;
}
