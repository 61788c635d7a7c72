/** The interface's languages. The first language is the default. */
export const LOCALES = ["en", "de"] as const;
export type Locale = (typeof LOCALES)[number];

export const LOCALE_NAMES: Record<Locale, string> = { en: "English", de: "Deutsch" };

export const LOCALE_COOKIE = "locale";

/** The cookie's language, else the best supported one in Accept-Language (RFC 9110 section 12.5.4), else English. */
export function requestLocale(headers: Headers): Locale {
  return (
    chosenLocale(headers.get("cookie") ?? "") ?? acceptedLocale(headers.get("accept-language") ?? "") ?? LOCALES[0]
  );
}

/** @param cookies a Cookie header or `document.cookie` @returns null without a supported language */
export function chosenLocale(cookies: string): Locale | null {
  return parseLocale(/(?:^|;\s*)locale=([a-z]+)(?:;|$)/.exec(cookies)?.[1]);
}

/** Reads a language tag without its region. @returns null for an unsupported language */
function parseLocale(tag: string | undefined): Locale | null {
  const language = tag?.trim().toLowerCase().split("-")[0];
  return LOCALES.find((locale) => locale === language) ?? null;
}

function acceptedLocale(acceptLanguage: string): Locale | null {
  const preferences = acceptLanguage.split(",").map((range) => {
    const [tag, ...parameters] = range.split(";");
    const weight = /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameters[0] ?? "")?.[1];
    return { locale: parseLocale(tag), weight: parameters.length === 0 ? 1 : Number(weight ?? 0) };
  });
  const supported = preferences.filter(({ locale, weight }) => locale !== null && weight > 0);
  return supported.toSorted((one, other) => other.weight - one.weight)[0]?.locale ?? null;
}
