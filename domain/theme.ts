/** Light or dark: as the system says, or as somebody chose. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";

/** The theme that a Cookie header names; the system's where it names none. */
export function themeIn(cookies: string | null): Theme {
  const named = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookies ?? "")?.[1];
  return THEMES.find((theme) => theme === named) ?? "system";
}
