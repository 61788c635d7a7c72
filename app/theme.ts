import { useRouteLoaderData } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { THEME_COOKIE, type Theme } from "#domain/theme.ts";
import { DAY_MS, SECOND_MS } from "#domain/units.ts";
import type { loader } from "./root.tsx";

/** Browsers keep a cookie no longer than this (RFC 6265bis, section 5.5). */
const REMEMBERED_SECONDS = (400 * DAY_MS) / SECOND_MS;

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
  const seconds = theme === "system" ? 0 : REMEMBERED_SECONDS;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${seconds}; samesite=lax`;
  for (const listener of listeners) listener();
}
