import compile from "icu-minify/compile";
import type { Locale } from "#domain/locale.ts";
import type { CompiledGroup } from "./compiled.ts";
import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import type { Catalogue } from "./messages.ts";

const CATALOGUES: Record<Locale, Catalogue> = { en, de };

/** Every language's messages, parsed. @throws SyntaxError for what is no ICU MessageFormat */
export function compileCatalogues(): Record<Locale, Record<string, CompiledGroup>> {
  return mapValues(CATALOGUES, (catalogue) =>
    mapValues(catalogue, (group: Record<string, string>) => mapValues(group, compile)),
  );
}

function mapValues<Key extends string, Value, Made>(
  values: Record<Key, Value>,
  make: (value: Value) => Made,
): Record<Key, Made> {
  const entries = Object.entries(values) as [Key, Value][];
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value)])) as Record<Key, Made>;
}
