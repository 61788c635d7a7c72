import { useRouteLoaderData } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { THEME_COOKIE, type Theme } from "#domain/theme.ts";
import { rememberInCookie } from "#app/lib/preference-cookie.ts";
import type { loader } from "#app/root.tsx";

/** What has been chosen since the document came; the document itself knows what was chosen before. */
let chosen: Theme | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that somebody chose in this browser. */
export function useTheme(): Theme {
  const told = useRouteLoaderData<typeof loader>("root")?.theme ?? "system";
  return useSyncExternalStore(
    subscribe,
    () => chosen ?? told,
    () => told,
  );
}

/** Shows the theme at once, and remembers it for the documents to come. */
export function chooseTheme(theme: Theme): void {
  chosen = theme;
  rememberInCookie(THEME_COOKIE, theme === "system" ? null : theme);
  for (const listener of listeners) listener();
}
