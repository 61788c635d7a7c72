import { crc32Of } from "./checksums.ts";
import { endsAt } from "./expiry.ts";
import { BASE_62, randomText } from "./random-text.ts";
import { DAY_MS } from "./units.ts";

/** Lets people and scanners for leaked secrets tell a key from other text. */
const KEY_PREFIX = "mayfly_";
/** 190 random bits. */
const RANDOM_CHARACTERS = 32;
/** 62 to the power of 6 is more than 2 to the power of 32. */
const CHECKSUM_CHARACTERS = 6;
const KEY = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`);

/** What a key may do. No scope opens the account, its billing, its keys or the admin area. */
export const KEY_SCOPES = ["upload", "files:read", "files:write", "requests"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Shortest first. */
export const KEY_LIFETIMES = ["7d", "30d", "90d", "1y", "never"] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];
export const DEFAULT_KEY_LIFETIME: KeyLifetime = "90d";

/** The owner is mailed this long before a key runs out. */
const KEY_REMINDER_MS = 7 * DAY_MS;

export const KEY_NAME_MAX_LENGTH = 60;
/** The limit of every key. A key's own limit is not higher. */
export const KEY_CALLS_PER_MINUTE = 300;

/** Who made the key: its owner on the account page, or the command line after its owner agreed. */
export const KEY_SOURCES = ["page", "cli"] as const;
export type KeySource = (typeof KEY_SOURCES)[number];

/** @param random 32 characters of `0-9A-Za-z` @returns the whole key */
export function keyOf(random: string): string {
  return `${KEY_PREFIX}${random}${checksumOf(random)}`;
}

/** A new key. It is a secret. */
export function createKey(): string {
  return keyOf(randomText(BASE_62, RANDOM_CHARACTERS));
}

/** Whether the text has the form of a key, and its checksum. An unknown key may have both. */
export function isKey(text: string): boolean {
  const [, random = "", checksum] = KEY.exec(text) ?? [];
  return checksum !== undefined && checksum === checksumOf(random);
}

/** What lists show of a key. */
export function lastFourOf(key: string): string {
  return key.slice(-4);
}

/**
 * When its owner is mailed that it runs out. A key that lives no longer than the mail is early needs none.
 * @param now epoch milliseconds @returns epoch milliseconds; null for no mail
 */
export function keyRemindAt(lifetime: KeyLifetime, now: number): number | null {
  const end = endsAt(lifetime, now);
  return end !== null && end - now > KEY_REMINDER_MS ? end - KEY_REMINDER_MS : null;
}

/** A key runs out at the millisecond of `expiresAtMs`. */
export function hasRunOut(expiresAtMs: number | null, now: number): boolean {
  return expiresAtMs !== null && now >= expiresAtMs;
}

/** CRC-32 of the characters as ASCII, in base 62, with zeros on its left. */
function checksumOf(random: string): string {
  let rest = crc32Of(new TextEncoder().encode(random));
  let digits = "";
  while (rest > 0) {
    digits = `${BASE_62[rest % 62] ?? ""}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(CHECKSUM_CHARACTERS, "0");
}
