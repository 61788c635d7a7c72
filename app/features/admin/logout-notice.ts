const KEY = "admin.loggedOut";

/** Remembers the logout across the page reload that follows it. */
export function saveLogoutNotice(): void {
  sessionStorage.setItem(KEY, "yes");
}

/** True on the first call after a logout. */
export function takeLogoutNotice(): boolean {
  const isSet = sessionStorage.getItem(KEY) !== null;
  sessionStorage.removeItem(KEY);
  return isSet;
}
