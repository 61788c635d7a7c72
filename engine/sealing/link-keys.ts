import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { readFragment, type UnreadableFragment } from "#domain/seal/fragment.ts";
import {
  deriveContentKeys,
  deriveLinkKeys,
  randomBytes,
  SALT_BYTES,
  SECRET_BYTES,
  unwrapSecret,
  wrapSecret,
  type Bytes,
  type ContentKeys,
} from "#domain/seal/keys.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import { KDF_COST, type Kdf } from "#domain/seal/password.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import type { LockedSeal, OpenedSeal, SealAtStart } from "#domain/wire.ts";

/**
 * Hashes a password, in Unicode NFC, with Argon2id.
 * @returns 32 bytes @throws SealError `version` for a refused cost; TypeError if hashing is impossible now
 */
export type HashPassword = (password: string, kdf: Kdf) => Promise<Bytes>;

const NO_PASSWORD: Bytes = new Uint8Array();

/** The secrets that open a sealed link, as its sender keeps them: bytes, so that browsers can store them. */
export interface LinkSecrets {
  /** The secret in the link's fragment. */
  linkSecret: Bytes;
  /** The secret from which the content keys are derived. */
  secret: Bytes;
  salt: Bytes;
  /** The key that the server demands before it unlocks the link. */
  access: Bytes;
  /** The link also needs a password. */
  hasPassword: boolean;
}

/** The public part of a seal that starts an upload, without the manifest. */
export type PublicSeal = Omit<SealAtStart, "manifest">;

/** @param password empty or absent for a link without a password */
export async function newSeal(
  hashPassword: HashPassword,
  password?: string,
): Promise<{ secrets: LinkSecrets; seal: PublicSeal; keys: ContentKeys }> {
  const linkSecret = randomBytes(SECRET_BYTES);
  const secret = randomBytes(SECRET_BYTES);
  const salt = randomBytes(SALT_BYTES);
  const { access, ...wrapped } = await wrapForLink(hashPassword, { linkSecret, secret, salt }, password);
  const keys = await deriveContentKeys(secret, salt);
  return {
    secrets: { linkSecret, secret, salt, access, hasPassword: wrapped.kdf !== undefined },
    seal: { v: 1, salt: toBase64url(salt), commitment: toBase64url(keys.commitment), ...wrapped },
    keys,
  };
}

interface Wrapped {
  access: Bytes;
  wrap: string;
  accessHash: string;
  kdf?: Kdf;
}

/** Encrypts a transfer's secret, but not its files, for a link and password. @param password "" for none */
export async function wrapForLink(
  hashPassword: HashPassword,
  { linkSecret, secret, salt }: Pick<LinkSecrets, "linkSecret" | "secret" | "salt">,
  password = "",
): Promise<Wrapped> {
  const kdf = password === "" ? undefined : newKdf();
  const linkKeys = await deriveLinkKeys(linkSecret, kdf ? await hashPassword(password, kdf) : NO_PASSWORD, salt);
  const { access } = linkKeys;
  return {
    access,
    wrap: toBase64url(await wrapSecret(secret, linkKeys)),
    accessHash: toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", access))),
    ...(kdf && { kdf }),
  };
}

/** The error of a pasted link. `other`: the link leads to another transfer. `none`: the link has no key. */
export type LinkProblem = UnreadableFragment["problem"] | "other";

/** Reads a link that a person has pasted. @param downloadId of the transfer to which the link must lead */
export function readLink(
  pasted: string,
  downloadId: string,
): { linkSecret: Bytes; hasPassword: boolean } | { problem: LinkProblem; characters?: number } {
  const link = pasted.trim();
  const at = link.indexOf("#");
  if (!link.includes(downloadId)) return { problem: "other" };
  return readFragment(at < 0 ? "" : link.slice(at + 1));
}

/**
 * Derives the keys of a link, with which `secretsOf` opens the server's answer.
 * @param password needed if there is a `kdf` @returns keys, with the server's `access` @throws SealError `version`
 */
export async function accessOf(
  hashPassword: HashPassword,
  linkSecret: Bytes,
  { salt, kdf }: Pick<LockedSeal, "salt" | "kdf">,
  password = "",
) {
  const hash = kdf ? await hashPassword(password, kdf) : NO_PASSWORD;
  return deriveLinkKeys(linkSecret, hash, bytesOf(salt));
}

/** Opens the server's answer with the keys of `accessOf`. @param opened the answer @throws SealError `wrongKey` */
export async function secretsOf(
  linkSecret: Bytes,
  linkKeys: Awaited<ReturnType<typeof accessOf>>,
  opened: Pick<OpenedSeal, "salt" | "wrap" | "commitment" | "kdf">,
): Promise<LinkSecrets> {
  const salt = bytesOf(opened.salt);
  const { secret } = await unwrapSecret(bytesOf(opened.wrap), linkKeys, salt, bytesOf(opened.commitment));
  return { linkSecret, secret, salt, access: linkKeys.access, hasPassword: opened.kdf !== undefined };
}

/** @throws SealError `wrongKey` for a text that is not base64url */
export function bytesOf(text: string): Bytes {
  const bytes = fromBase64url(text);
  if (!bytes) throw new SealError("wrongKey", "The answer holds no bytes.");
  return bytes;
}

/** The cost of a new password's hash, with a new salt. */
function newKdf(): Kdf {
  return { ...KDF_COST, salt: toBase64url(randomBytes(SALT_BYTES)) };
}

/** A sealed link as its sender keeps it, to show the link again or resume the upload. */
export interface KeptLink extends LinkSecrets {
  downloadId: string;
  /** The id of the file and its upload. */
  uploadId: string;
  /** The account that sent the link; null for a visitor. */
  userId: string | null;
  manifest: Manifest;
  /** The revision of the newest manifest that this device has sent or read; absent while unknown. */
  revision?: number;
  /** The password was changed elsewhere, so the link must be pasted again before the upload can resume. */
  isOutdated?: boolean;
  /** Number and path of each entry removed from an unfinished transfer. Removed entries are not sent again. */
  removed?: [number, string][] | undefined;
  /** Fingerprint of the plain files, to find their keys again. "" while unknown, null once the upload is finished. */
  fingerprint: string | null;
  /** Epoch milliseconds; null for a link that never expires, and while the time is unknown. */
  expiresAt: number | null;
}
