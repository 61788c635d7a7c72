import { AppError } from "#domain/errors.ts";
import { parseReturnAddress } from "#domain/return-address.ts";

/** Stripe puts the checkout's id in this one's place. */
const SESSION_ID = "{CHECKOUT_SESSION_ID}";

/**
 * Where to come back to from Stripe.
 * @param wanted as the client sent it: a path, or a whole address of ours
 * @param fallback a path
 * @throws AppError REDIRECT_REFUSED when it leads anywhere but to this origin
 */
export function ownAddress(origin: string, wanted: string | undefined, fallback: string): URL {
  const address = parseReturnAddress(wanted ?? fallback, origin);
  if (!address) throw new AppError("REDIRECT_REFUSED");
  return address;
}

/** The same address, told which checkout was left through it. */
export function withSessionId(address: URL): string {
  const copy = new URL(address);
  copy.searchParams.delete("session_id");
  // Braces are Stripe's to see; searchParams would encode them.
  copy.search = `${copy.search === "" ? "?" : `${copy.search}&`}session_id=${SESSION_ID}`;
  return copy.href;
}

/** The same address, where there is no checkout. */
export function withoutSessionId(address: URL): string {
  const copy = new URL(address);
  copy.searchParams.delete("session_id");
  return copy.href;
}
