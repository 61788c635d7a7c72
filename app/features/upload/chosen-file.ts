import { isFree, LARGEST_FILE_BYTES, limitFor, type PlanId } from "#domain/plans.ts";

/** What is wrong with a chosen file before anything is sent. The server checks again. */
export type ChosenFileFault = "over-maximum" | "over-free-limit";

/** Why that plan does not take the file; null when it does. */
export function faultOf(file: Pick<File, "size">, plan: PlanId): ChosenFileFault | null {
  if (file.size > LARGEST_FILE_BYTES) return "over-maximum";
  return isFree(plan) && file.size > limitFor(plan).fileSizeBytes ? "over-free-limit" : null;
}

/**
 * Whether a signed-out person has to sign in before this file is judged. Without an account a file may have the free
 * plan's size, where that is allowed at all; an account may have a plan that takes more.
 * @param anonymousUploads whether this deployment takes files without an account
 */
export function needsAccount(file: Pick<File, "size">, anonymousUploads: boolean): boolean {
  return !anonymousUploads || faultOf(file, "free") !== null;
}
