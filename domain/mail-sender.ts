import { emailAddress } from "./email-address.ts";

export interface Sender {
  /** The display name; may be empty. */
  name: string;
  email: string;
}

/** A mailbox with a display name (RFC 5322 section 3.4). Unlike there, a comma needs no quotes. */
const NAME_AND_ADDRESS = /^([^<>]*)<([^<>]+)>$/;
/** RFC 5322 section 3.2.4: a backslash escapes the next character. */
const QUOTED_NAME = /^"((?:[^"\\]|\\.)*)"$/;

/** Null when the text is invalid, or the name has a control character, which could forge a header. */
export function parseSender(text: string): Sender | null {
  const trimmed = text.trim();
  const [, before = "", inBrackets] = NAME_AND_ADDRESS.exec(trimmed) ?? [];
  const email = (inBrackets ?? trimmed).trim();
  const displayName = before.trim();
  const quoted = QUOTED_NAME.exec(displayName)?.[1];
  const name = quoted === undefined ? displayName : quoted.replaceAll(/\\(.)/g, "$1");
  const address = emailAddress("").safeParse(email);
  if (/\p{Cc}/u.test(name) || !address.success) return null;
  return { name, email: address.data };
}
