const KEY = "admin.loggedOut";

/** Remembers in sessionStorage that the administrator logged out, across the page load that follows. */
export function saveLogoutNotice(): void {
  sessionStorage.setItem(KEY, "yes");
}

/** @returns true on the first call after a logout */
export function takeLogoutNotice(): boolean {
  const isSet = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isSet;
}
