import format, { type CompiledMessage, type FormatValues } from "icu-minify/format";
import type { Locale } from "#domain/locale.ts";
import type { Group, MessageName, TagsOf, ValuesOf } from "./messages.ts";

type Arguments<Values> = object extends Values ? [values?: Values] : [values: Values];

/** Says a message of one group. */
export interface Translate<G extends Group> {
  readonly locale: Locale;
  /** @throws Error when the message is not at hand, or is one with tags */
  <Name extends MessageName<G>>(name: Name, ...values: Arguments<ValuesOf<G, Name>>): string;
  /** The same, for a message with tags: what stands between them is handed to a function of the tag's name. */
  rich<Name extends MessageName<G>, Node>(
    name: Name,
    values: ValuesOf<G, Name> & TagsOf<G, Name, Node | string>,
  ): (Node | string)[];
}

/** A group's messages, parsed; null where they are not at hand. */
export type FindMessages = (group: Group) => Record<string, CompiledMessage> | null;

/** @returns what says a group's messages in a language */
export function createTranslator<G extends Group>(locale: Locale, group: G, find: FindMessages): Translate<G> {
  const t = <Node>(name: string, values: FormatValues<Node> = {}): (Node | string)[] => {
    const message = find(group)?.[name];
    if (message === undefined) throw new Error(`no message ${group}.${name}`);
    const said = format<Node>(message, locale, values, { formatters: FORMATTERS });
    return Array.isArray(said) ? said : [said];
  };
  const translate = (name: string, values?: FormatValues<string>) => t(name, values).join("");
  return Object.assign(translate, { locale, rich: t }) as Translate<G>;
}

const FORMATTERS = {
  getDateTimeFormat: remembered(Intl.DateTimeFormat),
  getNumberFormat: remembered(Intl.NumberFormat),
  getPluralRules: remembered(Intl.PluralRules),
};

/** Intl's formatters are dear to make, and never change. */
function remembered<Options, Formatter>(
  make: new (locale?: Intl.LocalesArgument, options?: Options) => Formatter,
): (locale?: Intl.LocalesArgument, options?: Options) => Formatter {
  const made = new Map<string, Formatter>();
  return (locale, options) => {
    const key = JSON.stringify([locale, options]);
    const formatter = made.get(key) ?? new make(locale, options);
    made.set(key, formatter);
    return formatter;
  };
}
