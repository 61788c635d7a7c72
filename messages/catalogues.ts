import compile from "icu-minify/compile";
import type { Locale } from "#domain/locale.ts";
import type { CompiledGroup } from "./compiled.ts";
import * as de from "./de/index.ts";
import * as en from "./en/index.ts";
import type { Catalogue } from "./messages.ts";

export const CATALOGUES: Record<Locale, Catalogue> = { en, de };

/** @throws SyntaxError when a message is not valid ICU MessageFormat */
export function compileCatalogues(): Record<Locale, Record<string, CompiledGroup>> {
  return mapValues(CATALOGUES, (catalogue) =>
    mapValues(catalogue, (group: Record<string, string>) => mapValues(group, compile)),
  );
}

function mapValues<Key extends string, Value, Result>(
  values: Record<Key, Value>,
  map: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries(values) as [Key, Value][];
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value)])) as Record<Key, Result>;
}
