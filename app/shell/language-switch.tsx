import { useRevalidator } from "@remix-run/react";
import { Languages } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { useMessages, useLocale } from "#app/lib/i18n/messages.ts";
import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { createStore } from "#app/lib/store.ts";
import { LOCALE_NAMES, LOCALES, chosenLocale, LOCALE_COOKIE, type Locale } from "#domain/locale.ts";

/** Null until a language is chosen in this document, and when the browser rejects the cookie. */
const chosen = createStore<Locale | null>(null);

/** Switches without reloading the page, so uploads continue. */
export function LanguageSwitch() {
  const { language, choose } = useLanguageChoice();
  const t = useMessages("common");
  return (
    <label className="relative flex min-h-11 items-center rounded-xl border border-line bg-sunken text-muted hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-reed">
      <Languages size={18} aria-hidden className="pointer-events-none absolute left-3" />
      <span className="sr-only">{t("language")}</span>
      <select
        value={language}
        className="min-h-11 cursor-pointer appearance-none rounded-xl bg-transparent pr-4 pl-10 text-sm font-medium outline-none"
        onChange={(event) => {
          const selected = LOCALES.find((locale) => locale === event.target.value);
          if (selected) choose(selected);
        }}
      >
        {LOCALES.map((value) => (
          <option key={value} value={value} lang={value} className="bg-surface text-ink">
            {LOCALE_NAMES[value]}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * Shows the chosen language at once. Reloads the page's messages until they have that language, because a browser may
 * not send a new cookie yet.
 */
function useLanguageChoice(): { language: Locale; choose(locale: Locale): void } {
  const pageLocale = useLocale();
  const rootData = useRootData();
  const { revalidate } = useRevalidator();
  const choice = useSyncExternalStore(chosen.subscribe, chosen.get, () => null);

  useEffect(() => {
    const locale = chosen.get();
    if (rootData === undefined || locale === null || rootData.messages.locale === locale) return;
    // Without the cookie (disabled, or overwritten by another tab) the server's language wins.
    if (chosenLocale(document.cookie) === locale) revalidate();
    else chosen.set(null);
  }, [rootData, revalidate]);

  return {
    language: choice ?? pageLocale,
    choose: (locale) => {
      setPreferenceCookie(LOCALE_COOKIE, locale);
      chosen.set(locale);
      revalidate();
    },
  };
}
