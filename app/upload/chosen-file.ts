import { isFree, LARGEST_FILE_BYTES, limitFor, type PlanId } from "#domain/plans.ts";

/** What is wrong with a chosen file before anything is sent. The server checks again. */
export type ChosenFileFault = "over-maximum" | "over-free-limit";

/** @param plan of the person, a visitor's being free */
export function faultOf(file: File, plan: PlanId): ChosenFileFault | null {
  if (file.size > LARGEST_FILE_BYTES) return "over-maximum";
  return isFree(plan) && file.size > limitFor(plan).fileSizeBytes ? "over-free-limit" : null;
}
