import * as z from "zod/mini";

/** The length of the longest address (RFC 5321, section 4.5.3.1.3), without the angle brackets. */
const MAX_LENGTH = 254;

/** A "valid email address" of HTML, as browsers check it, with a dot in the domain, since other domains get no mail. */
export const EMAIL_PATTERN =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Letters of any alphabet, their joiners, and the full stops that UTS #46 takes for dots. */
const DOMAIN = /^(?:[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]|\u200c|\u200d)+$/u;
const NOT_ASCII = /[\u0080-\uffff]/;

/** A schema that trims an address and writes its domain in ASCII. @param message for an invalid address */
export function emailAddress(message: string) {
  return z
    .string(message)
    .check(
      z.trim(),
      z.overwrite(withAsciiDomain),
      z.maxLength(MAX_LENGTH, message),
      z.email({ pattern: EMAIL_PATTERN, error: message }),
    );
}

/**
 * Writes the domain as the DNS does, so that each address has one form: `x@exämple.de` is `x@xn--exmple-cua.de` (UTS
 * #46, by the rules of the URL Standard). @returns the same text if there is no domain to change
 */
export function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  if (at < 0 || !NOT_ASCII.test(domain) || !DOMAIN.test(domain) || !URL.canParse(`http://${domain}`)) return email;
  const { hostname } = new URL(`http://${domain}`);
  // The URL parser turns digits of other alphabets into an IP address, which is not a mail domain.
  return /^[\d.]*$/.test(hostname) ? email : `${email.slice(0, at)}@${hostname}`;
}

interface Sender {
  /** The display name, which may be empty. */
  name: string;
  email: string;
}

/** A mailbox with a display name (RFC 5322 section 3.4). Unlike in the RFC, a comma needs no quotes. */
const NAME_AND_ADDRESS = /^([^<>]*)<([^<>]+)>$/;
/** A quoted string (RFC 5322 section 3.2.4), in which a backslash escapes the next character. */
const QUOTED_NAME = /^"((?:[^"\\]|\\.)*)"$/;

/** @returns null for an invalid text, or for a name with a control character, which could forge a header */
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
