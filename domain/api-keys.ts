import { crc32Of } from "./checksums.ts";
import { endsAt } from "./expiry.ts";
import { MAX_SHARDS, FIRST_SHARD } from "./ids.ts";
import { BASE_62, randomText } from "./random-text.ts";
import { DAY_MS } from "./units.ts";

/** The start by which people and scanners for leaked secrets recognize an API key. */
const KEY_PREFIX = "mayfly_";
/** 190 random bits. */
const RANDOM_CHARACTERS = 32;
/** Six characters hold a CRC-32, because 62 to the power of 6 is more than 2 to the power of 32. */
const CHECKSUM_CHARACTERS = 6;
/** A CRC-32's first character in base 62 is at most 4, so five times the shard's number fits on top (decision 052). */
const SHARD_STEP = 5;
const KEY = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECKSUM_CHARACTERS}})$`);

/** The scopes of an API key. No scope gives access to the account, its billing, its keys or the admin area. */
export const KEY_SCOPES = ["upload", "files:read", "files:write", "requests"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The lifetimes of an API key, shortest first. */
export const KEY_LIFETIMES = ["7d", "30d", "90d", "1y", "never"] as const;
export type KeyLifetime = (typeof KEY_LIFETIMES)[number];
export const DEFAULT_KEY_LIFETIME: KeyLifetime = "90d";

/** A key's owner is mailed this long before the key expires. */
const KEY_REMINDER_MS = 7 * DAY_MS;

export const KEY_NAME_MAX_LENGTH = 60;
/** The rate limit of every key. A limit that an owner sets for a key is not higher. */
export const KEY_CALLS_PER_MINUTE = 300;

/** Who made an API key: its owner on the account page, or the command line after the owner's consent. */
export const KEY_SOURCES = ["page", "cli"] as const;
export type KeySource = (typeof KEY_SOURCES)[number];

/** @param random 32 characters of `0-9A-Za-z` @returns the whole key */
export function keyOf(random: string, shard = FIRST_SHARD): string {
  return `${KEY_PREFIX}${random}${checksumOf(random, shard)}`;
}

/** Creates an API key, which is a secret. @param shard of the key's account */
export function createKey(shard = FIRST_SHARD): string {
  return keyOf(randomText(BASE_62, RANDOM_CHARACTERS), shard);
}

/** Whether the text has the form and the checksum of an API key. The key may be unknown all the same. */
export function isKey(text: string): boolean {
  return shardOfKey(text) !== null;
}

/** @returns the shard that a key names; null for text that is no key */
export function shardOfKey(text: string): number | null {
  const [, random = "", checksum = ""] = KEY.exec(text) ?? [];
  const shard = Math.floor(BASE_62.indexOf(checksum.charAt(0)) / SHARD_STEP);
  return checksum !== "" && shard < MAX_SHARDS && checksum === checksumOf(random, shard) ? shard : null;
}

/** Lists show only these four characters of a key. */
export function lastFourOf(key: string): string {
  return key.slice(-4);
}

/**
 * When a key's owner is mailed that the key will expire. A key that lives for up to seven days needs no mail.
 * @param now epoch milliseconds @returns epoch milliseconds; null for no mail
 */
export function keyRemindAt(lifetime: KeyLifetime, now: number): number | null {
  const end = endsAt(lifetime, now);
  return end !== null && end - now > KEY_REMINDER_MS ? end - KEY_REMINDER_MS : null;
}

/** Whether a key has expired. A key is expired from the millisecond of `expiresAtMs` on. */
export function hasRunOut(expiresAtMs: number | null, now: number): boolean {
  return expiresAtMs !== null && now >= expiresAtMs;
}

/**
 * CRC-32 of the characters as ASCII, in base 62, padded with zeros on the left, with the shard in its first character.
 * Outside shard 0 the sum covers the shard, too, so that one wrong character never turns a key into another valid key.
 */
function checksumOf(random: string, shard: number): string {
  const summed = shard === 0 ? random : `${random}${BASE_62.charAt(shard)}`;
  let rest = crc32Of(new TextEncoder().encode(summed));
  let digits = "";
  while (rest > 0) {
    digits = `${BASE_62[rest % 62] ?? ""}${digits}`;
    rest = Math.floor(rest / 62);
  }
  const padded = digits.padStart(CHECKSUM_CHARACTERS, "0");
  return `${BASE_62.charAt(BASE_62.indexOf(padded.charAt(0)) + SHARD_STEP * shard)}${padded.slice(1)}`;
}
