import type * as en from "./en/index.ts";

/** Messages are in ICU MessageFormat. */
export type Group = keyof typeof en;
export type MessageName<G extends Group> = keyof (typeof en)[G] & string;

declare module "#domain/field-messages.ts" {
  /** No name is in two groups. */
  interface SchemaMessages {
    fields: MessageName<"fields">;
    /** Of forms that only the account page has. */
    accountFields: MessageName<"accountFields">;
    /** Of SEO records and page contents. */
    recordFields: MessageName<"recordFields">;
    /** Of API fields without a form. They name the JSON field. */
    inputs: MessageName<"inputs">;
  }
}

/** A group in another language, with exactly the English names. */
export type Translated<G extends Group> = Record<MessageName<G>, string>;
export type Catalogue = { [G in Group]: Translated<G> };

type Values<Names extends string, Value> = [Names] extends [never] ? object : Record<Names, Value>;

/** The placeholder names of a text. Plural branches must write their number as `#`, so that none looks like a placeholder. */
type ArgumentOf<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Plain<Until<Until<Rest, "}">, ",">> | ArgumentOf<Rest>
  : never;
type TagOf<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | TagOf<Rest> : never;
type Until<Text extends string, End extends string> = Text extends `${infer Head}${End}${string}` ? Head : Text;
/** Excludes plural branches: they start with `#` or contain a space. */
type Plain<Text extends string> = Text extends `${string} ${string}` | `#${string}` | "" ? never : Text;

type TextOf<G extends Group, Name extends MessageName<G>> = (typeof en)[G][Name] & string;

/** A message's placeholders, read from the English text. */
export type ValuesOf<G extends Group, Name extends MessageName<G>> = Values<
  ArgumentOf<TextOf<G, Name>>,
  string | number | Date
>;

export type TagsOf<G extends Group, Name extends MessageName<G>, Node> = Values<
  TagOf<TextOf<G, Name>>,
  (children: Node[]) => Node
>;
