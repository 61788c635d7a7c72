import { randomText } from "../random-text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../units.ts";

/** The most downloads that a sender may allow a link. The least is one. */
export const MAX_DOWNLOADS = 1000;

/**
 * Copies that interrupted downloads may take beyond a link's limit, until the link waits for its owner's permission.
 */
export const SPARE_COPIES = 3;

/** A lease lapses after this time without activity. A running response renews the lease far more often. */
export const LEASE_SILENCE_MS = 15 * MINUTE_MS;
/** A lease that has finished no file lapses after this time, even with activity. */
export const LEASE_MAX_MS = DAY_MS;
/** After each finished file a lease lasts this long, for other files, or for a retry if the reader's disk was full. */
export const LEASE_AFTER_FILE_MS = HOUR_MS;
/** The record of a lapsed lease's bytes is kept for this time, so that its browser can resume. */
export const LAPSED_LEASE_KEPT_MS = DAY_MS;

export function isDownloadLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 1 && limit <= MAX_DOWNLOADS;
}

/** The length of a link's password, in Unicode code points. */
const LINK_PASSWORD_MIN_LENGTH = 6;
const LINK_PASSWORD_MAX_LENGTH = 128;

/** 32 characters that can be told apart on paper: without l, o, 0 and 1. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** Keyboards write one letter in several ways, so passwords are compared in NFC. @returns null for a wrong length */
export function normalizeLinkPassword(password: string): string | null {
  const normalized = password.normalize("NFC");
  const length = Array.from(normalized).length;
  return length >= LINK_PASSWORD_MIN_LENGTH && length <= LINK_PASSWORD_MAX_LENGTH ? normalized : null;
}

/** @returns 12 random characters of 32 in three groups, such as `k7mq-2xbn-w9rt`: 60 bits */
export function generateLinkPassword(): string {
  return randomText(ALPHABET, 12).replace(/.{4}(?!$)/g, "$&-");
}
