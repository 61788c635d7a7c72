import { ApiError, messageFromBody } from "#app/lib/api.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";

export function adminErrorMessage(error: unknown, fallback: string): string {
  // For a 401, `error.message` asks for the user login; administrators need the server's message.
  return (error instanceof ApiError ? messageFromBody(error.body) : null) ?? fallback;
}

/** As `errorToast`, with the server's message, or `fallback` if it sent none. */
export function adminErrorToast(title: string, fallback: string): (error: unknown) => void {
  return errorToast(title, fallback, adminErrorMessage);
}

/** @returns an error handler that shows the same toast for every error */
export function fixedErrorToast(title: string, description?: string): () => void {
  return () => {
    toast({ title, ...(description === undefined ? {} : { description }), tone: "bad" });
  };
}
