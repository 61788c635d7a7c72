import { AppError } from "#domain/errors.ts";
import { parseReturnAddress } from "#domain/return-address.ts";

/** Stripe replaces this placeholder with the checkout's id. */
const SESSION_ID = "{CHECKOUT_SESSION_ID}";

/** @param requested a path, or a URL of our origin @throws AppError REDIRECT_REFUSED for another origin */
export function parseRedirect(origin: string, requested: string | undefined, fallback: string): URL {
  const url = parseReturnAddress(requested ?? fallback, origin);
  if (!url) throw new AppError("REDIRECT_REFUSED");
  return url;
}

export function withSessionId(url: URL): string {
  const copy = new URL(url);
  copy.searchParams.delete("session_id");
  // `searchParams` would encode the braces, and Stripe would not recognise the placeholder.
  copy.search = `${copy.search === "" ? "?" : `${copy.search}&`}session_id=${SESSION_ID}`;
  return copy.href;
}

export function withoutSessionId(url: URL): string {
  const copy = new URL(url);
  copy.searchParams.delete("session_id");
  return copy.href;
}
