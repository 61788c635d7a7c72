import { toast } from "#app/ui/toast.ts";
import { ApiError, messageFromBody } from "#app/lib/api.ts";

/** What the server said of a refusal; the default where it said nothing, or nothing answered. */
export function refusalOf(error: unknown, fallback: string): string {
  // Its own words: a 401 of the admin area is not about the visitor's account.
  return (error instanceof ApiError ? messageFromBody(error.body) : null) ?? fallback;
}

/** A toast of that title with what the server said, or the default. */
export function refusalToast(title: string, fallback: string): (error: unknown) => void {
  return (error) => {
    toast({ title, description: refusalOf(error, fallback), tone: "bad" });
  };
}

/** A toast of exactly these words, whatever went wrong. */
export function fixedToast(title: string, description?: string): () => void {
  return () => {
    toast({ title, ...(description === undefined ? {} : { description }), tone: "bad" });
  };
}
