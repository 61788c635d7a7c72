import { useRevalidator } from "@remix-run/react";
import { useEffect, useSyncExternalStore } from "react";
import { chosenLocale, LOCALE_COOKIE, type Locale } from "#domain/locale.ts";
import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { useLocale } from "./messages.ts";

/** Null until a language is chosen in this document, and when the browser rejects the cookie. */
let chosen: Locale | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setChosen(locale: Locale | null): void {
  chosen = locale;
  for (const listener of listeners) listener();
}

/**
 * Shows the chosen language at once and reloads the page's messages until they arrive in it: the browser may send a
 * request without a cookie that was set just before.
 */
export function useLanguageChoice(): { language: Locale; choose(locale: Locale): void } {
  const pageLocale = useLocale();
  const rootData = useRootData();
  const { revalidate } = useRevalidator();
  const choice = useSyncExternalStore(
    subscribe,
    () => chosen,
    () => null,
  );

  useEffect(() => {
    if (rootData === undefined || chosen === null || rootData.messages.locale === chosen) return;
    // Without the cookie (disabled, or overwritten by another tab) the server's language wins.
    if (chosenLocale(document.cookie) === chosen) revalidate();
    else setChosen(null);
  }, [rootData, revalidate]);

  return {
    language: choice ?? pageLocale,
    choose: (locale) => {
      setPreferenceCookie(LOCALE_COOKIE, locale);
      setChosen(locale);
      revalidate();
    },
  };
}
