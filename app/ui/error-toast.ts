import { ApiError } from "#app/lib/api.ts";
import { NotConfirmed } from "#app/lib/confirming.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { toast, type Toast } from "./toast.ts";

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
    const content = toastOf(error, { title, description: wording(error, fallback) });
    if (content) toast(content);
  };
}

/**
 * @returns the toast about a failed call, with the id of an unexpected one's request, by which support finds its log; null
 * for a person who did not want to confirm
 */
export function toastOf(error: unknown, words: Pick<Toast, "title" | "description">): Toast | null {
  if (error instanceof NotConfirmed) return null;
  const requestId = error instanceof ApiError && error.status >= 500 && error.body.requestId;
  return { ...words, tone: "bad", ...(typeof requestId === "string" && { requestId }) };
}
