import { ApiError, messageFromBody } from "#app/lib/api.ts";
import { errorToast } from "#app/ui/error-toast.ts";

export function adminErrorMessage(error: unknown, fallback: string): string {
  // For a 401, `error.message` asks for the user login; administrators need the server's message.
  return (error instanceof ApiError ? messageFromBody(error.body) : null) ?? fallback;
}

/** As `errorToast`, with the server's message, or `fallback` if it sent none. */
export function adminErrorToast(title: string, fallback: string): (error: unknown) => void {
  return errorToast(title, fallback, adminErrorMessage);
}

/** As `errorToast`, but shows the same for every error. */
export function fixedErrorToast(title: string, description?: string): (error: unknown) => void {
  return errorToast(title, "", () => description);
}
