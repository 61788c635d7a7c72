import { useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useSyncExternalStore } from "react";
import { chosenLocale, LOCALE_COOKIE, type Locale } from "#domain/locale.ts";
import { rememberInCookie } from "#app/lib/preference-cookie.ts";
import type { loader } from "#app/root.tsx";
import { useLocale } from "./messages.ts";

/** The last choice made in this document; null when there was none, or this browser has not kept it. */
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
 * The language that was chosen last, and how to choose another. A choice is shown at once, and the page's words are asked
 * for until they come in it: the browser may send a request before a cookie that was set first.
 */
export function useLanguageChoice(): { language: Locale; choose(locale: Locale): void } {
  const pageLocale = useLocale();
  const root = useRouteLoaderData<typeof loader>("root");
  const { revalidate } = useRevalidator();
  const choice = useSyncExternalStore(
    subscribe,
    () => chosen,
    () => null,
  );

  useEffect(() => {
    if (root === undefined || chosen === null || root.messages.locale === chosen) return;
    // Cookies may be switched off, or another tab may have chosen since: then the server is right.
    if (chosenLocale(document.cookie) === chosen) revalidate();
    else setChosen(null);
  }, [root, revalidate]);

  return {
    language: choice ?? pageLocale,
    choose: (locale) => {
      rememberInCookie(LOCALE_COOKIE, locale);
      setChosen(locale);
      revalidate();
    },
  };
}
