import { ApiError } from "#app/lib/api.ts";
import { NotConfirmed } from "#app/lib/confirming.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { toast } from "./toast.ts";

/**
 * Every failure of a call is shown through this.
 * @param wording default: the error's message, or `fallback` if it has none
 * @returns an error handler that shows the error, and nothing to a person who did not want to confirm
 */
export function errorToast(
  title: string,
  fallback: string,
  wording: (error: unknown, fallback: string) => string | undefined = messageOf,
): (error: unknown) => void {
  return (error) => {
    if (error instanceof NotConfirmed) return;
    toast({ title, description: wording(error, fallback), tone: "bad", ...requestOf(error) });
  };
}

/** What support needs to find the log of an unexpected error: the answer of no other one has it. */
function requestOf(error: unknown): { requestId?: string } {
  const requestId = error instanceof ApiError && error.status >= 500 && error.body.requestId;
  return typeof requestId === "string" ? { requestId } : {};
}
