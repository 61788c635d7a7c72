import format, { type CompiledMessage, type FormatValues } from "icu-minify/format";
import type { Locale } from "#domain/locale.ts";
import type { Group, MessageName, TagsOf, ValuesOf } from "./messages.ts";

type Arguments<Values> = object extends Values ? [values?: Values] : [values: Values];

export interface Translate<G extends Group> {
  readonly locale: Locale;
  /** @throws Error when the group is not loaded, or the message has tags */
  <Name extends MessageName<G>>(name: Name, ...values: Arguments<ValuesOf<G, Name>>): string;
  /** The message of that name, or the text itself if the group has none. It has no placeholders. */
  named(text: string): string;
  /** For messages with tags. Each tag's content is passed to the function of that name. */
  rich<Name extends MessageName<G>, Node>(
    name: Name,
    values: ValuesOf<G, Name> & TagsOf<G, Name, Node | string>,
  ): (Node | string)[];
}

/** Returns null when the group is not loaded. */
export type FindMessages = (group: Group) => Record<string, CompiledMessage> | null;

export function createTranslator<G extends Group>(locale: Locale, group: G, find: FindMessages): Translate<G> {
  const t = <Node>(name: string, values: FormatValues<Node> = {}): (Node | string)[] => {
    const message = find(group)?.[name];
    if (message === undefined) throw new Error(`message ${group}.${name} not found`);
    const formatted = format<Node>(message, locale, values, { formatters: FORMATTERS });
    return Array.isArray(formatted) ? formatted : [formatted];
  };
  const translate = (name: string, values?: FormatValues<string>) => t(name, values).join("");
  const named = (text: string) => (find(group)?.[text] === undefined ? text : translate(text));
  return Object.assign(translate, { locale, rich: t, named }) as Translate<G>;
}

const FORMATTERS = {
  getDateTimeFormat: memoized(Intl.DateTimeFormat),
  getNumberFormat: memoized(Intl.NumberFormat),
  getPluralRules: memoized(Intl.PluralRules),
};

/** Intl formatters are expensive to create. */
function memoized<Options, Formatter>(
  Constructor: new (locale?: Intl.LocalesArgument, options?: Options) => Formatter,
): (locale?: Intl.LocalesArgument, options?: Options) => Formatter {
  const formatters = new Map<string, Formatter>();
  return (locale, options) => {
    const key = JSON.stringify([locale, options]);
    const formatter = formatters.get(key) ?? new Constructor(locale, options);
    formatters.set(key, formatter);
    return formatter;
  };
}
