import { useSyncExternalStore } from "react";
import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { THEME_COOKIE, type Theme } from "#domain/theme.ts";

/** Overrides the root loader's theme, which is not reloaded. */
let chosen: Theme | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  const cookieTheme = useRootData()?.theme ?? "system";
  return useSyncExternalStore(
    subscribe,
    () => chosen ?? cookieTheme,
    () => cookieTheme,
  );
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  setPreferenceCookie(THEME_COOKIE, theme === "system" ? null : theme);
  for (const listener of listeners) listener();
}
