/** Search parameters of the home page that open the sign-in dialog, and name where to go afterwards. */
export const AUTH_PARAM = "auth";
export const RETURN_PARAM = "returnTo";

/** A path of this site, or null: nobody is sent elsewhere by a link they were given. */
export function ownPath(path: string | null): string | null {
  if (path === null || !path.startsWith("/")) return null;
  const here = "http://here.invalid";
  const url = new URL(path, here);
  return url.origin === here ? url.pathname + url.search : null;
}
