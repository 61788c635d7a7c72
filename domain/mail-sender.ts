import * as z from "zod/mini";

/** Whom mail comes from. */
export interface Sender {
  /** The name that mail programs show; empty where there is none. */
  name: string;
  email: string;
}

/** A name and an address in angle brackets, as RFC 5322 (3.4) writes a mailbox. A name's comma needs no quotes here. */
const NAME_AND_ADDRESS = /^([^<>]*)<([^<>]+)>$/;
/** A name in quotes, where a backslash keeps the next character as it is (RFC 5322, 3.2.4). */
const QUOTED_NAME = /^"((?:[^"\\]|\\.)*)"$/;

/**
 * Reads a sender: an address, or a name and an address, such as `Files <no-reply@example.com>`.
 * @returns null where that is not one; a line break or another control character in a name could forge a header
 */
export function parseSender(text: string): Sender | null {
  const trimmed = text.trim();
  const [, before = "", inBrackets] = NAME_AND_ADDRESS.exec(trimmed) ?? [];
  const email = (inBrackets ?? trimmed).trim();
  const written = before.trim();
  const quoted = QUOTED_NAME.exec(written)?.[1];
  const name = quoted === undefined ? written : quoted.replaceAll(/\\(.)/g, "$1");
  if (/\p{Cc}/u.test(name) || !z.email().safeParse(email).success) return null;
  return { name, email };
}
