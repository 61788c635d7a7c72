/** The languages that the interface speaks; the first is what others get. */
export const LOCALES = ["en", "de"] as const;
export type Locale = (typeof LOCALES)[number];

/** What each language calls itself. */
export const LOCALE_NAMES: Record<Locale, string> = { en: "English", de: "Deutsch" };

export const LOCALE_COOKIE = "locale";

/**
 * The language to speak: the one that was chosen here, else the best that the browser asks for (RFC 9110, section
 * 12.5.4: the highest weight, the first of equals), else the first of ours.
 */
export function localeIn(headers: Headers): Locale {
  return chosenLocale(headers.get("cookie") ?? "") ?? preferred(headers.get("accept-language") ?? "") ?? LOCALES[0];
}

/** The language that was chosen in a browser with these cookies, as `Cookie` or `document.cookie` has them; or null. */
export function chosenLocale(cookies: string): Locale | null {
  return localeOf(/(?:^|;\s*)locale=([a-z]+)(?:;|$)/.exec(cookies)?.[1]);
}

/** Our name of that language, whatever its region; null when it is not spoken here. */
function localeOf(tag: string | undefined): Locale | null {
  const language = tag?.trim().toLowerCase().split("-")[0];
  return LOCALES.find((locale) => locale === language) ?? null;
}

function preferred(acceptLanguage: string): Locale | null {
  const asked = acceptLanguage.split(",").map((range) => {
    const [tag, ...parameters] = range.split(";");
    const weight = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters[0] ?? "")?.[1];
    return { locale: localeOf(tag), weight: parameters.length === 0 ? 1 : Number(weight ?? 0) };
  });
  const spoken = asked.filter(({ locale, weight }) => locale !== null && weight > 0);
  return spoken.toSorted((one, other) => other.weight - one.weight)[0]?.locale ?? null;
}
