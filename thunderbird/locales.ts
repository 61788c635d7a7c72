import { CATALOGUES } from "#messages/catalogues.ts";

interface LocalizedText {
  message: string;
  placeholders?: Record<string, { content: string }>;
}

const PLACEHOLDER = /\{(\w+)\}/g;

/**
 * The texts of the group `thunderbird` in the form of WebExtensions, by language. A placeholder has the number that it
 * has in the English text, because `getMessage` takes values by their places.
 */
export function localesOf(): Record<string, Record<string, LocalizedText>> {
  return Object.fromEntries(
    Object.entries(CATALOGUES).map(([locale, { thunderbird }]) => [
      locale,
      Object.fromEntries(
        Object.entries(thunderbird).map(([name, text]) => [
          name,
          localized(text, placesOf(CATALOGUES.en.thunderbird, name)),
        ]),
      ),
    ]),
  );
}

function placesOf(english: Record<string, string>, name: string): string[] {
  return [...(english[name] ?? "").matchAll(PLACEHOLDER)].map(([, placeholder = ""]) => placeholder);
}

function localized(text: string, places: readonly string[]): LocalizedText {
  const message = text.replaceAll(PLACEHOLDER, "$$$1$$");
  if (places.length === 0) return { message };
  const placeholders = Object.fromEntries(places.map((name, at) => [name, { content: `$${at + 1}` }]));
  return { message, placeholders };
}
