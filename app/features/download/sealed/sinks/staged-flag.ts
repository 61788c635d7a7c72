import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";

/** Tells the page's frame, without a look into the file system, whether this browser may hold opened files. */
export function flagStaged(isStaged: boolean): void {
  setPreferenceCookie("keeps-staged", isStaged ? "1" : null);
}
