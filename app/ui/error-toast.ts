import { ApiError } from "#app/lib/api.ts";
import { NotConfirmed } from "#app/lib/confirming.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { toast, type Toast } from "./toast.ts";

/**
 * Makes an error handler that shows a toast, unless the person declined to confirm the call.
 * @param fallback used if the error has no message @param wording describes an error; default: the error's message
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
 * @returns the toast about a failed call. An unexpected error (a status from 500 up) names its request id, by which support
 * finds its log. Null for a person who declined to confirm the call.
 */
export function toastOf(error: unknown, words: Pick<Toast, "title" | "description">): Toast | null {
  if (error instanceof NotConfirmed) return null;
  const requestId = error instanceof ApiError && error.status >= 500 && error.body.requestId;
  return { ...words, tone: "bad", ...(typeof requestId === "string" && { requestId }) };
}
