import { randomText } from "../random-text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../units.ts";

/** The most downloads that a sender may allow; the least is one. */
export const MAX_DOWNLOADS = 1000;

/** Unfinished copies that a link gives away beyond its limit before it waits for its owner. */
export const SPARE_COPIES = 3;

/** A lease lapses after this time without a sign of life. A running response renews it far more often. */
export const LEASE_SILENCE_MS = 15 * MINUTE_MS;
/** A lease that has finished no file lapses after this time, however busy it is. */
export const LEASE_MAX_MS = DAY_MS;
/** After each finished file, for the other files, or for the same one if the reader's disk was full. */
export const LEASE_AFTER_FILE_MS = HOUR_MS;
/** What a lapsed lease has read stays known for this time, so that its browser can go on. */
export const LAPSED_LEASE_KEPT_MS = DAY_MS;

export function isDownloadLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_DOWNLOADS;
}

/** The length of a link's password, in Unicode code points. */
const LINK_PASSWORD_MIN_LENGTH = 6;
const LINK_PASSWORD_MAX_LENGTH = 128;

/** 32 characters that can be told apart on paper: without l, o, 0 and 1. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

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
  return randomText(ALPHABET, 12).replace(/.{4}(?!$)/g, "$&-");
}
