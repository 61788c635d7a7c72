import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { isFree, LARGEST_FILE_BYTES, limitFor, type PlanId } from "#domain/plans.ts";

type SizeProblem = "over-maximum" | "over-free-limit";

/** Checks a file's size against a plan before anything is sent. The server checks again. */
export function findSizeProblem(file: Pick<File, "size">, plan: PlanId): SizeProblem | null {
  if (file.size > LARGEST_FILE_BYTES) return "over-maximum";
  return isFree(plan) && file.size > limitFor(plan).fileSizeBytes ? "over-free-limit" : null;
}

/**
 * Whether a signed-out person must sign in to upload the file. Files over the free plan's size always need an account,
 * whose plan may allow them.
 * @param anonymousUploads whether this deployment accepts uploads without an account
 */
export function needsAccount(file: Pick<File, "size">, anonymousUploads: boolean): boolean {
  return !anonymousUploads || findSizeProblem(file, "free") !== null;
}

export function useMustSignIn(): (file: File) => boolean {
  const isSignedIn = useCurrentUser() !== null;
  const anonymousUploads = useAnonymousUploads();
  return (file) => !isSignedIn && needsAccount(file, anonymousUploads);
}
