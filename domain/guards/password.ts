/** Of a link's password, in Unicode code points. */
const LINK_PASSWORD_MIN_LENGTH = 6;
const LINK_PASSWORD_MAX_LENGTH = 128;

/** 32 characters that can be told apart on paper: without l, o, 0 and 1. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const CHARACTERS_PER_GROUP = 4;

/**
 * Keyboards write the same letter in several ways, so every password is hashed and compared in this form (Unicode NFC).
 * @returns null for one that is too short or too long
 */
export function normalizeLinkPassword(password: string): string | null {
  const normalized = password.normalize("NFC");
  const length = Array.from(normalized).length;
  return length >= LINK_PASSWORD_MIN_LENGTH && length <= LINK_PASSWORD_MAX_LENGTH ? normalized : null;
}

/** @returns 12 random characters of 32 in three groups, such as `k7mq-2xbn-w9rt`: 60 bits */
export function generateLinkPassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(GROUPS * CHARACTERS_PER_GROUP));
  // 256 is a multiple of 32, so every character is as likely.
  const characters = Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length] ?? "").join("");
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * CHARACTERS_PER_GROUP, (group + 1) * CHARACTERS_PER_GROUP),
  ).join("-");
}
