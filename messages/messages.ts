import type { en } from "./en/index.ts";

/** The groups of messages, and their names. A message is ICU MessageFormat. */
export type Group = keyof typeof en;
export type MessageName<G extends Group> = keyof (typeof en)[G] & string;

/** A group in another language: the same names, no more and no fewer. */
export type Translated<G extends Group> = Record<MessageName<G>, string>;
export type Catalogue = { [G in Group]: Translated<G> };

type Values<Names extends string, Value> = [Names] extends [never] ? object : Record<Names, Value>;

/**
 * What stands in a message's braces, read off the English text. In a plural's branches the number is written `#`, so that
 * what stands in a branch is not taken for a value.
 */
type ArgumentOf<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Plain<Until<Until<Rest, "}">, ",">> | ArgumentOf<Rest>
  : never;
type TagOf<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}` ? Tag | TagOf<Rest> : never;
type Until<Text extends string, Logo extends string> = Text extends `${infer Head}${Logo}${string}` ? Head : Text;
/** A branch's text begins with `#` or has a blank in it; a value's name has neither. */
type Plain<Text extends string> = Text extends `${string} ${string}` | `#${string}` | "" ? never : Text;

type TextOf<G extends Group, Name extends MessageName<G>> = (typeof en)[G][Name] & string;

/** The values that a message wants. */
export type ValuesOf<G extends Group, Name extends MessageName<G>> = Values<
  ArgumentOf<TextOf<G, Name>>,
  string | number | Date
>;

/** What a message makes of the words between its tags. */
export type TagsOf<G extends Group, Name extends MessageName<G>, Node> = Values<
  TagOf<TextOf<G, Name>>,
  (words: Node[]) => Node
>;
