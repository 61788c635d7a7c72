import { parseReturnAddress } from "#domain/return-address.ts";

/** Search parameters of the home page that open the sign-in dialog, and name where to go afterwards. */
export const AUTH_PARAM = "auth";
export const RETURN_PARAM = "returnTo";

/**
 * Reads a path of this site to go to after signing in.
 * @returns its path and query; null for anything else: nobody is led to another site by a link
 */
export function ownPath(path: string | null): string | null {
  const address = path?.startsWith("/") ? parseReturnAddress(path, "http://here.invalid") : null;
  return address && address.pathname + address.search;
}
