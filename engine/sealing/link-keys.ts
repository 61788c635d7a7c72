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
 * Argon2id of a password in Unicode NFC.
 * @returns 32 bytes @throws SealError `version` for a cost that is refused; TypeError if it cannot be computed now
 */
export type HashPassword = (password: string, kdf: Kdf) => Promise<Bytes>;

const NO_PASSWORD: Bytes = new Uint8Array();

/** What opens a sealed link, for its sender. Bytes, so that they can be kept and show the link again. */
export interface LinkSecrets {
  /** The secret in the link. */
  linkSecret: Bytes;
  /** The transfer's own. */
  secret: Bytes;
  salt: Bytes;
  /** What unlocks the link at the server. */
  access: Bytes;
  /** The link needs a password besides. */
  hasPassword: boolean;
}

/** What a start tells the server, but for the manifest. */
export type PublicSeal = Omit<SealAtStart, "manifest">;

/** @param password empty or absent for a link without one */
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

/**
 * Locks a transfer's secret for its link and password. Nothing is encrypted again.
 * @param password empty or absent for a link without one
 */
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

/** What is wrong with a pasted link. `other`: it leads to another transfer. `none`: it has no key. */
export type LinkProblem = UnreadableFragment["problem"] | "other";

/** Reads a link that a person has pasted. @param downloadId of the transfer that it should lead to */
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
 * The first half of opening a link.
 * @param password needed where `kdf` is there @returns what the server unlocks for @throws SealError `version`
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

/** The second half. @param opened the server's answer @throws SealError `wrongKey` */
export async function secretsOf(
  linkSecret: Bytes,
  linkKeys: Awaited<ReturnType<typeof accessOf>>,
  opened: Pick<OpenedSeal, "salt" | "wrap" | "commitment" | "kdf">,
): Promise<LinkSecrets> {
  const salt = bytesOf(opened.salt);
  const { secret } = await unwrapSecret(bytesOf(opened.wrap), linkKeys, salt, bytesOf(opened.commitment));
  return { linkSecret, secret, salt, access: linkKeys.access, hasPassword: opened.kdf !== undefined };
}

/** @throws SealError `wrongKey` for what is no base64url */
export function bytesOf(text: string): Bytes {
  const bytes = fromBase64url(text);
  if (!bytes) throw new SealError("wrongKey", "The answer holds no bytes.");
  return bytes;
}

/** What the hash of a new password costs, with a salt of its own. */
function newKdf(): Kdf {
  return { ...KDF_COST, salt: toBase64url(randomBytes(SALT_BYTES)) };
}

/** What a sender keeps of a sealed link, to show it again and to go on with it. */
export interface KeptLink extends LinkSecrets {
  downloadId: string;
  /** The id of the file, which is also the upload's. */
  uploadId: string;
  /** The account that sent it; null for a visitor. */
  userId: string | null;
  manifest: Manifest;
  /** The revision of the newest manifest that was sent or read here; absent while that is unknown. */
  revision?: number;
  /** The password was changed elsewhere since: the link has to be pasted again before the upload goes on. */
  isOutdated?: boolean;
  /** What was removed of an unfinished transfer: numbers and paths. It is not sent again. */
  removed?: [number, string][] | undefined;
  /**
   * The fingerprint of the plain files, to find the keys when they are chosen again; "" while unknown, null once all
   * has arrived.
   */
  fingerprint: string | null;
  /** Epoch milliseconds; null for never, and while it is unknown. */
  expiresAt: number | null;
}
