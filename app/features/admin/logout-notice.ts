const KEY = "admin.loggedOut";

/** Remembers, across the reload that logging out ends in, that the session has ended. */
export function saveLogoutNotice(): void {
  sessionStorage.setItem(KEY, "yes");
}

/** Whether this page was loaded by logging out; true once. */
export function takeLogoutNotice(): boolean {
  const isKept = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isKept;
}
