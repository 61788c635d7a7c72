import compile from "icu-minify/compile";
import type { CompiledMessage } from "icu-minify/format";
import type { Locale } from "#domain/locale.ts";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import type { Catalogue, Group } from "./messages.ts";

const CATALOGUES: Record<Locale, Catalogue> = { en, de };

/** Messages by name, parsed, as a page gets them. */
export type CompiledGroup = Record<string, CompiledMessage>;

const compiled = new Map<string, CompiledGroup>();

/** A group of messages in a language, parsed once. */
export function compiledGroup(locale: Locale, group: Group): CompiledGroup {
  const key = `${locale} ${group}`;
  const known = compiled.get(key);
  if (known) return known;
  const messages = Object.entries(CATALOGUES[locale][group]).map(([name, text]) => [name, compile(text)] as const);
  const made = Object.fromEntries(messages);
  compiled.set(key, made);
  return made;
}
