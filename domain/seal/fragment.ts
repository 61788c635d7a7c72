import { fromBase64url, toBase64url } from "../bytes-as-text.ts";
import type { Bytes } from "./keys.ts";

/** The part of a link after `#`. No server sees it. */
export interface Fragment {
  linkSecret: Bytes;
  /** Whether the link needs a password, too. */
  hasPassword: boolean;
}

/**
 * `missing`: the link lacks characters at its end. `newer`: a newer page made the link. `none`: the link has no key.
 */
export type UnreadableFragment =
  { problem: "none" } | { problem: "missing"; characters: number } | { problem: "newer" };

const WITHOUT_PASSWORD = "1";
const WITH_PASSWORD = "2";
/** The length of 32 bytes in base64url. */
const SECRET_CHARACTERS = 43;
const FRAGMENT_CHARACTERS = 1 + SECRET_CHARACTERS;

/** @returns 44 characters, without `#` */
export function writeFragment({ linkSecret, hasPassword }: Fragment): string {
  return `${hasPassword ? WITH_PASSWORD : WITHOUT_PASSWORD}${toBase64url(linkSecret)}`;
}

/** @param fragment without `#` */
export function readFragment(fragment: string): Fragment | UnreadableFragment {
  const text = fragment.trim();
  if (text === "") return { problem: "none" };
  const version = text[0];
  if (version !== WITHOUT_PASSWORD && version !== WITH_PASSWORD) return { problem: "newer" };
  // Text that was typed after the link, such as a full stop, is ignored.
  const secret = /^[\w-]*/.exec(text.slice(1))?.[0] ?? "";
  if (secret.length < SECRET_CHARACTERS)
    return { problem: "missing", characters: FRAGMENT_CHARACTERS - 1 - secret.length };
  const linkSecret = secret.length === SECRET_CHARACTERS ? fromBase64url(secret) : null;
  return linkSecret === null ? { problem: "newer" } : { linkSecret, hasPassword: version === WITH_PASSWORD };
}

/** @param shareUrl without a fragment @returns the link that the sender gives away, with its key */
export function wholeLink(shareUrl: string, { linkSecret, hasPassword }: Fragment): string {
  return `${shareUrl}#${writeFragment({ linkSecret, hasPassword })}`;
}
