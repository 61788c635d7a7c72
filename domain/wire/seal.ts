import * as z from "zod/mini";
import { fromBase64url } from "../bytes-as-text.ts";
import { messageName } from "../field-messages.ts";
import { COMMITMENT_BYTES, SALT_BYTES, WRAP_BYTES } from "../seal/keys.ts";
import { MAX_MANIFEST_BYTES } from "../seal/manifest.ts";
import { MARK_BYTES } from "../seal/marks.ts";
import { SEALED_NAME, SEALED_TYPE } from "../seal/names.ts";
import { checkKdf, type Kdf } from "../seal/password.ts";
import { openedSize } from "../seal/sizes.ts";
import { KIB } from "../units.ts";

/** Bytes as base64url without padding. */
const bytes = (length: number) =>
  z.string().check(z.refine((text) => fromBase64url(text)?.length === length, messageName("notBase64url")));

const kdf = z
  .object({ name: z.literal("argon2id"), mKiB: z.number(), t: z.number(), p: z.number(), salt: z.string() })
  .check(z.refine(isAcceptable, messageName("kdfRefused")));

/** An encrypted manifest: nonce, ciphertext, tag. */
const manifestBody = z
  .string()
  .check(
    z.maxLength(Math.ceil((MAX_MANIFEST_BYTES * 4) / 3), messageName("manifestLong")),
    z.regex(/^[\w-]+$/, messageName("notBase64url")),
  );

/** The fields of a start for which sealing has rules. */
export interface SealedStart {
  seal?: SealAtStart | undefined;
  guards?: { password?: string | undefined } | undefined;
  filename?: string;
  fileType?: string;
  lastModified?: number | null;
  /** Bytes of each announced stream. */
  sizes: readonly number[];
  /** The number of files in the list. */
  entries: number;
}

/** The largest body with an encrypted list of files, which takes 1,366 KB as base64url. */
export const MANIFEST_BODY_MAX_BYTES = 1440 * KIB;

const MANIFEST_BASE_BYTES = 16 * KIB;
/** Space for a file's name and its other facts in the list. */
const MANIFEST_ENTRY_BYTES = 2 * KIB;

/** Whether a list is too long for its number of files, and may store other data for free. @param body base64url */
export function isManifestTooLong(body: string, entries: number): boolean {
  return (body.length * 3) / 4 > MANIFEST_BASE_BYTES + entries * MANIFEST_ENTRY_BYTES;
}

/** @returns the field and the message name of the first rule that a sealed start breaks; null if it breaks none */
export function checkSealedStart(start: SealedStart) {
  const { seal, guards, filename, fileType = "", lastModified = null, sizes, entries } = start;
  if (!seal) return null;
  if (guards?.password !== undefined) return { path: ["guards", "password"], message: messageName("sealPassword") };
  if (filename !== undefined && filename !== SEALED_NAME)
    return { path: ["filename"], message: messageName("sealName") };
  if (fileType !== "" && fileType !== SEALED_TYPE) return { path: ["fileType"], message: messageName("sealName") };
  if (lastModified !== null) return { path: ["lastModified"], message: messageName("sealName") };
  if (isManifestTooLong(seal.manifest, entries))
    return { path: ["seal", "manifest"], message: messageName("manifestLong") };
  if (sizes.some((size) => openedSize(size) === null)) return { path: ["seal"], message: messageName("sealSize") };
  return null;
}

/**
 * The fields of a sealed link that a plain link does not have. Each field is public, or useless without the link's key.
 */
export const sealAtStart = z.object({
  v: z.literal(1),
  salt: bytes(SALT_BYTES),
  wrap: bytes(WRAP_BYTES),
  commitment: bytes(COMMITMENT_BYTES),
  /** SHA-256 of the access. */
  accessHash: bytes(32),
  /** Only of a link with a password. */
  kdf: z.optional(kdf),
  /** The encrypted manifest of revision 0. */
  manifest: manifestBody,
});
export type SealAtStart = z.infer<typeof sealAtStart>;

/** A new password, or no password: the same secret, wrapped with another key of the link. */
export const rewrappedSeal = {
  wrap: z.optional(bytes(WRAP_BYTES)),
  accessHash: z.optional(bytes(32)),
  kdf: z.optional(z.nullable(kdf)),
};

export const putManifestRequest = z.object({
  /** The number of the new manifest: the last revision plus 1. The start has revision 0. */
  revision: z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)),
  final: z.boolean(),
  body: manifestBody,
});
export type PutManifest = z.infer<typeof putManifestRequest>;

export interface PutManifestAnswer {
  revision: number;
}

/** The data of a sealed link that everybody with its address may see. */
export interface LockedSeal {
  guard: "sealed";
  /** 16 bytes as base64url. */
  salt: string;
  /** Absent for a link without a password. */
  kdf?: Kdf;
}

/** The answer of `unlock` for the holder of the link's key. Byte strings are base64url. */
export interface OpenedSeal {
  v: 1;
  salt: string;
  wrap: string;
  commitment: string;
  kdf?: Kdf;
  /** The manifest's revision. */
  revision: number;
  final: boolean;
  manifest: string;
}

/** The state of a sealed link in lists and answers to the owner, and in the information of an unlocked link. */
export interface SealState extends LockedSeal {
  /** The revision of the newest manifest. */
  revision: number;
  final: boolean;
}

/** Identifies the content of a part, for a resumed upload. */
export const partMark = bytes(MARK_BYTES);

/** The link's key in a report, with which moderators can open the transfer. */
export const sharedKey = z.object({
  /** The part of the link after `#`. */
  fragment: z.string().check(z.regex(/^[12][\w-]{43}$/, messageName("notFragment"))),
  password: z.optional(z.string().check(z.maxLength(1000))),
});
export type SharedKey = z.infer<typeof sharedKey>;

function isAcceptable(value: Kdf): boolean {
  try {
    checkKdf(value);
    return true;
  } catch {
    return false;
  }
}
