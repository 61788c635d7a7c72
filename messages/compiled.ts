import type { CompiledMessage } from "icu-minify/format";
import compiled from "#build/messages.js";
import type { Locale } from "#domain/locale.ts";
import type { Group } from "./messages.ts";
import { createTranslator, type Translate } from "./translate.ts";

/** Parsed messages by name, as sent to a page. */
export type CompiledGroup = Record<string, CompiledMessage>;

/** Messages are parsed at build time, so neither the Worker nor a page ships the parser. */
export function compiledGroup(locale: Locale, group: Group): CompiledGroup {
  return compiled[locale][group];
}

/** A translator for code on the server, which has every language's messages. */
export function translatorFor<G extends Group>(locale: Locale, group: G): Translate<G> {
  return createTranslator(locale, group, (name) => compiledGroup(locale, name));
}
