import type { CompiledMessage } from "icu-minify/format";
import compiled from "#build/messages.js";
import type { Locale } from "#domain/locale.ts";
import type { Group } from "./messages.ts";

/** Messages by name, parsed, as a page gets them. */
export type CompiledGroup = Record<string, CompiledMessage>;

/** A group of messages in a language. They are parsed when the pages are built, so no parser is carried along. */
export function compiledGroup(locale: Locale, group: Group): CompiledGroup {
  return compiled[locale][group];
}
