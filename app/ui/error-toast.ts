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
    toast({ title, description: wording(error, fallback), tone: "bad" });
  };
}
