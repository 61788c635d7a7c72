import { toBase64url } from "../bytes-as-text.ts";
import { deriveTokenKey, isSigned, sign } from "../token-keys.ts";
import { HOUR_MS, SECOND_MS } from "../units.ts";
import { LAPSED_LEASE_KEPT_MS, LEASE_MAX_MS } from "./link-protection.ts";

/** A grant is valid for this time. Any use in the second half of this time renews the grant. */
export const GRANT_MS = HOUR_MS;
/** A grant ends this long after the unlock, however often it is renewed. */
export const GRANT_MAX_MS = 12 * HOUR_MS;

/** How many of the 22 characters of a lease's id name the client, if the client can be recognized. */
const CLIENT_CHARACTERS = 12;
const LEASE_ID_BYTES = 16;

export interface LinkTokenKeys {
  grant: CryptoKey;
  lease: CryptoKey;
  deletion: CryptoKey;
}

/** @param secret of the installation @returns a key for each kind of token */
export async function deriveLinkTokenKeys(secret: string): Promise<LinkTokenKeys> {
  const [grant, lease, deletion] = await Promise.all([
    deriveTokenKey(secret, "mayfly link grant"),
    deriveTokenKey(secret, "mayfly link lease"),
    deriveTokenKey(secret, "mayfly link deletion"),
  ]);
  return { grant, lease, deletion };
}

/** A grant, which unlocking a link gives. Moments are epoch milliseconds. */
export interface Grant {
  /** When the link was unlocked. */
  issuedAt: number;
  expiresAt: number;
  /** The revision of the link's password. Each change of the password increases the revision, and ends all grants. */
  revision: number;
}

/** @returns `issued.expires.revision.mac`, valid for this link alone */
export function issueGrant(
  { grant }: LinkTokenKeys,
  downloadId: string,
  revision: number,
  now: number,
): Promise<string> {
  return writeGrant(grant, downloadId, { issuedAt: now, expiresAt: now + GRANT_MS, revision });
}

/** @returns null for a token that is not ours, for another link, of an earlier revision, or expired */
export async function readGrant(
  { grant }: LinkTokenKeys,
  downloadId: string,
  revision: number,
  token: string,
  now: number,
): Promise<Grant | null> {
  const [, words, issued, expires, revised, mac] =
    /^((\d{1,16})\.(\d{1,16})\.(\d{1,9}))\.([\w-]{43})$/.exec(token) ?? [];
  if (words === undefined || mac === undefined) return null;
  if (!(await isSigned(grant, `${downloadId}.${words}`, mac))) return null;
  const read = { issuedAt: Number(issued), expiresAt: Number(expires), revision: Number(revised) };
  return read.revision === revision && now < read.expiresAt ? read : null;
}

/** @param grant from `readGrant` @returns the renewed token; null in a grant's first half, and after twelve hours */
export async function renewGrant(
  keys: LinkTokenKeys,
  downloadId: string,
  grant: Grant,
  now: number,
): Promise<string | null> {
  const expiresAt = Math.min(now + GRANT_MS, grant.issuedAt + GRANT_MAX_MS);
  if (now < grant.expiresAt - GRANT_MS / 2 || expiresAt <= grant.expiresAt) return null;
  return writeGrant(keys.grant, downloadId, { ...grant, expiresAt });
}

async function writeGrant(key: CryptoKey, downloadId: string, grant: Grant): Promise<string> {
  const words = `${grant.issuedAt}.${grant.expiresAt}.${grant.revision}`;
  return `${words}.${await sign(key, `${downloadId}.${words}`)}`;
}

/** @param client from `nameClient`, for a client without cookies @returns 22 characters, random after `client` */
export function newLeaseId(client = ""): string {
  const random = toBase64url(crypto.getRandomValues(new Uint8Array(LEASE_ID_BYTES)));
  return client + random.slice(client.length);
}

/**
 * Names a program that keeps no cookies. The name reveals nothing without our key, and differs for each link.
 * @param network of the program's address @returns 12 characters: 72 bits of HMAC-SHA-256
 */
export async function nameClient(
  { lease: key }: LinkTokenKeys,
  downloadId: string,
  { network, userAgent }: { network: string; userAgent: string },
): Promise<string> {
  return (await sign(key, `client.${downloadId}.${network}.${userAgent}`)).slice(0, CLIENT_CHARACTERS);
}

/**
 * Whether two leases of a link are one program's. A browser's lease belongs to no program.
 * @param id from `newLeaseId`
 */
export function isSameClient(id: string, other: string): boolean {
  return id.slice(0, CLIENT_CHARACTERS) === other.slice(0, CLIENT_CHARACTERS);
}

/**
 * @param lease from `newLeaseId`
 * @returns `lease.mac`, valid for this link alone. The gate knows the lease's end.
 */
export async function issueLease({ lease: key }: LinkTokenKeys, downloadId: string, lease: string): Promise<string> {
  return `${lease}.${await sign(key, `${downloadId}.${lease}`)}`;
}

/** @returns the lease's id; null for a token that is not ours or for another link */
export async function readLease(keys: LinkTokenKeys, downloadId: string, token: string): Promise<string | null> {
  const [, lease, mac] = /^([\w-]{22})\.([\w-]{43})$/.exec(token) ?? [];
  if (lease === undefined || mac === undefined) return null;
  return (await isSigned(keys.lease, `${downloadId}.${lease}`, mac)) ? lease : null;
}

/** @returns a token that deletes this file, for as long as the file exists: 43 characters of base64url */
export function issueDeletion({ deletion }: LinkTokenKeys, fileId: string): Promise<string> {
  return sign(deletion, fileId);
}

/** Whether the token is the file's, from `issueDeletion`. */
export async function isDeletion({ deletion }: LinkTokenKeys, fileId: string, token: string): Promise<boolean> {
  return /^[\w-]{43}$/.test(token) && (await isSigned(deletion, fileId, token));
}

/** A cookie whose name contains the link's id, because one path (`/download`) is common to the pages of all links. */
interface GuardCookie {
  name: string;
  /** The cookie is set once for each of these paths. */
  paths: readonly string[];
}

/** The pages' path has no id, because a path with an id would keep the cookie from the data (`/download/{id}.data`). */
const PAGES = "/download";

export function grantCookie(downloadId: string): GuardCookie {
  return { name: `grant_${downloadId}`, paths: [PAGES, "/api/files/download"] };
}

export function leaseCookie(downloadId: string): GuardCookie {
  return { name: `lease_${downloadId}`, paths: [PAGES, `/api/files/download/${downloadId}`] };
}

/** A cookie with the id of a report, for an administrator who opens a sealed link with the key in the report. */
export function reportCookie(downloadId: string): GuardCookie {
  return { name: `report_${downloadId}`, paths: [PAGES, `/api/files/download/${downloadId}`] };
}

/** The cookie lives as long as the link's gate may know the lease. */
export const LEASE_COOKIE_SECONDS = (LEASE_MAX_MS + LAPSED_LEASE_KEPT_MS) / SECOND_MS;
