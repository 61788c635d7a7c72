import { fromBase64url } from "../bytes-as-text.ts";
import { KIB, MIB } from "../units.ts";
import type { Bytes } from "./keys.ts";
import { SealError } from "./seal-error.ts";

/** The Argon2id parameters (RFC 9106) for a sealed link's password, as in the link's public data. */
export interface Kdf {
  name: "argon2id";
  /** Memory, KiB. */
  mKiB: number;
  /** The number of passes. */
  t: number;
  /** The number of lanes. */
  p: number;
  /** 16 bytes as base64url. */
  salt: string;
}

/** The cost for new links: 64 MiB, three passes (RFC 9106, section 4, second recommendation, with one lane). */
export const KDF_COST = { name: "argon2id", mKiB: (64 * MIB) / KIB, t: 3, p: 1 } as const;
export const PASSWORD_HASH_BYTES = 32;
/** Longer than for a plain link, since whoever has the link and the database can guess without asking the server. */
export const SEALED_PASSWORD_MIN_LENGTH = 8;

const MIN_MEMORY_KIB = (19 * MIB) / KIB;
const MAX_MEMORY_KIB = (256 * MIB) / KIB;
const MIN_PASSES = 2;
const MAX_PASSES = 10;
const MAX_LANES = 4;
const MIN_SALT_BYTES = 8;
const MAX_SALT_BYTES = 64;

/**
 * Refuses a cost that protects nothing (OWASP's minimum is 19 MiB and two passes), or that would freeze the browser.
 * @returns the salt, for Argon2id @throws SealError `version`
 */
export function checkKdf({ name, mKiB, t, p, salt }: Kdf): Bytes {
  const bytes = fromBase64url(salt);
  const isAcceptable =
    (name as string) === "argon2id" &&
    isWithin(mKiB, MIN_MEMORY_KIB, MAX_MEMORY_KIB) &&
    isWithin(t, MIN_PASSES, MAX_PASSES) &&
    isWithin(p, 1, MAX_LANES);
  if (!isAcceptable || bytes === null || !isWithin(bytes.length, MIN_SALT_BYTES, MAX_SALT_BYTES))
    throw new SealError("version", "The link asks for a password hash that this page does not compute.");
  return bytes;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
