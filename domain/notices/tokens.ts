import { fromBase64url, toBase64url } from "../base64url.ts";

const RECIPIENT_TOKEN_BYTES = 16;
/** Of a recipient: 128 random bits. */
export const RECIPIENT_TOKEN = /^[\w-]{22}$/;

const encoder = new TextEncoder();

export interface NoticeKeys {
  unsubscribe: CryptoKey;
  address: CryptoKey;
}

/** @param secret of the installation @returns a key for each use, derived from it with HKDF (RFC 5869) */
export async function deriveNoticeKeys(secret: string): Promise<NoticeKeys> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const derive = (label: string) =>
    crypto.subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(label) },
      material,
      { name: "HMAC", hash: "SHA-256", length: 256 },
      false,
      ["sign", "verify"],
    );
  const [unsubscribe, address] = await Promise.all([derive("mayfly unsubscribe"), derive("mayfly stopped address")]);
  return { unsubscribe, address };
}

/** What a recipient's link carries in `?for=`: who downloads, never whether they may. */
export function newRecipientToken(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(RECIPIENT_TOKEN_BYTES)));
}

/** Mails that can be stopped. `files`: to a recipient. The others: to an account's owner. */
const STOPPABLE_MAILS = ["files", "downloaded", "arrived", "ending", "day", "received"] as const;
export type StoppableMail = (typeof STOPPABLE_MAILS)[number];

/** `id`: of the recipient for `files`, else of the account. */
export interface StoppedMail {
  kind: StoppableMail;
  id: string;
}

/** @returns `kind.id.mac`. It is valid for as long as the recipient or account exists. */
export async function issueUnsubscribe({ unsubscribe }: NoticeKeys, { kind, id }: StoppedMail): Promise<string> {
  const words = `${kind}.${id}`;
  return `${words}.${toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", unsubscribe, encoder.encode(words))))}`;
}

/** @returns null for a token that is not ours */
export async function readUnsubscribe({ unsubscribe }: NoticeKeys, token: string): Promise<StoppedMail | null> {
  const [, name, id, mac] = /^([a-z]{1,16})\.([\w-]{1,64})\.([\w-]{43})$/.exec(token) ?? [];
  const kind = STOPPABLE_MAILS.find((each) => each === name);
  const bytes = mac === undefined ? null : fromBase64url(mac);
  if (kind === undefined || id === undefined || bytes === null) return null;
  const isOurs = await crypto.subtle.verify("HMAC", unsubscribe, bytes, encoder.encode(`${kind}.${id}`));
  return isOurs ? { kind, id } : null;
}

/** @returns HMAC-SHA-256 of the address in lower case, in base64url */
export async function digestAddress({ address: key }: NoticeKeys, email: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(email.trim().toLowerCase()))));
}
