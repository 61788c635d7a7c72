import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";

/** How the page of a transfer with pictures shows its files. */
export const LOOKS = ["wall", "list"] as const;
export type Look = (typeof LOOKS)[number];

const COOKIE = "files-as";

/** @returns the look that this person has chosen; null for none */
export function lookFromCookies(cookies: string | null): Look | null {
  const chosen = /(?:^|;\s*)files-as=(wall|list)(?:;|$)/.exec(cookies ?? "")?.[1];
  return LOOKS.find((look) => look === chosen) ?? null;
}

export function rememberLook(look: Look): void {
  setPreferenceCookie(COOKIE, look);
}

/** Whether most of the files are pictures or videos, so that a wall says more than a list. */
export function areMostlyPictures(files: readonly { path: string; type: string }[]): boolean {
  const pictures = files.filter(({ type }) => /^(?:image|video)\//.test(type));
  const others = files.filter(({ path, type }) => !path.endsWith("/") && !/^(?:image|video)\//.test(type));
  return pictures.length > others.length;
}
