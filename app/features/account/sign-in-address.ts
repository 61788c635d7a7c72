import { parseReturnAddress } from "#domain/return-address.ts";

/** Query parameters of the home page: the dialog tab to open, and the path to go to after the sign-in. */
export const AUTH_PARAM = "auth";
export const RETURN_PARAM = "returnTo";

/** @returns path and query, or null for another site's address: a link must not redirect there */
export function ownPath(path: string | null): string | null {
  const address = path?.startsWith("/") ? parseReturnAddress(path, "http://here.invalid") : null;
  return address && address.pathname + address.search;
}
