import { toBase64url } from "./bytes-as-text.ts";

/**
 * An id that people and programs keep also names the database that has the id's row: the shard (decision 052). Each
 * kind of id has a character with room for the number of the shard, so no id became longer, and an id that was made
 * before there were shards names shard 0. For API keys see `api-keys.ts`.
 */

/** The number of shards that every kind of id can name. API keys have the least room. */
export const MAX_SHARDS = 12;
/** The shard of new accounts and of visitors' uploads. Links and requests of an account are in the account's shard. */
export const FIRST_SHARD = 0;

const TOKEN_BYTES = 16;
/** The alphabet of base64url (RFC 4648 section 5). */
const BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The last of 22 characters has two of the 128 bits, and four bits that name the shard and are zero in base64url. */
const SHARDS_OF_A_CHARACTER = 16;

/** @returns a download id or the token of a request: 128 random bits and the shard, as 22 characters of base64url */
export function newLinkToken(shard: number): string {
  const random = toBase64url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  const last = BASE_64.indexOf(random.slice(-1)) + shard;
  return `${random.slice(0, -1)}${BASE_64.charAt(last)}`;
}

/** @param token from `newLinkToken` @returns a number below 16; a made-up token may name a shard that does not exist */
export function shardOfLinkToken(token: string): number {
  return BASE_64.indexOf(token.slice(-1)) % SHARDS_OF_A_CHARACTER;
}

/** The position of a UUID's version, with the shard behind it. */
const VERSION_AT = 14;
/** Version 8 of UUIDs: whoever makes such a UUID decides what its other bits mean (RFC 9562 section 5.8). */
const OWN_VERSION = "8";

/** @returns the id of a file, an account or a recipient: a UUID with 118 random bits and the shard */
export function newRowId(shard = FIRST_SHARD): string {
  const random = crypto.randomUUID();
  return `${random.slice(0, VERSION_AT)}${OWN_VERSION}${shard.toString(16)}${random.slice(VERSION_AT + 2)}`;
}

/** @param id from `newRowId`, or a random UUID (version 4) from before there were shards, which is in shard 0 */
export function shardOfRowId(id: string): number {
  return id.charAt(VERSION_AT) === OWN_VERSION ? Number.parseInt(id.charAt(VERSION_AT + 1), 16) : 0;
}
