import { toBase64url } from "../bytes-as-text.ts";
import { deriveTokenKey, isSigned, sign } from "../token-keys.ts";

const RECIPIENT_TOKEN_BYTES = 16;
/** A recipient's token, 128 random bits. Text pasted after the token does not count. */
export const RECIPIENT_TOKEN = /^[\w-]{22}/;

export interface NoticeKeys {
  unsubscribe: CryptoKey;
  address: CryptoKey;
}

/** @param secret of the installation @returns a key for each use */
export async function deriveNoticeKeys(secret: string): Promise<NoticeKeys> {
  const [unsubscribe, address] = await Promise.all([
    deriveTokenKey(secret, "mayfly unsubscribe"),
    deriveTokenKey(secret, "mayfly stopped address"),
  ]);
  return { unsubscribe, address };
}

/** Creates the token in `?for=` of a recipient's link. The token tells who downloads, and gives no access. */
export function newRecipientToken(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(RECIPIENT_TOKEN_BYTES)));
}

/** Mails that can be stopped: `files` goes to a recipient, `receipt` to a sender, all others to an account's owner. */
const STOPPABLE_MAILS = ["files", "receipt", "downloaded", "arrived", "ending", "day", "received"] as const;
export type StoppableMail = (typeof STOPPABLE_MAILS)[number];

/** `id` is the recipient's for `files`, the digest of the sender's address for `receipt`, and else the account's. */
export interface StoppedMail {
  kind: StoppableMail;
  id: string;
}

/** @returns `kind.id.mac`, valid for as long as the recipient or account exists. A receipt's token never expires. */
export async function issueUnsubscribe({ unsubscribe }: NoticeKeys, { kind, id }: StoppedMail): Promise<string> {
  const words = `${kind}.${id}`;
  return `${words}.${await sign(unsubscribe, words)}`;
}

/** @returns null for a token that is not ours */
export async function readUnsubscribe({ unsubscribe }: NoticeKeys, token: string): Promise<StoppedMail | null> {
  const [, name, id, mac] = /^([a-z]{1,16})\.([\w-]{1,64})\.([\w-]{43})$/.exec(token) ?? [];
  const kind = STOPPABLE_MAILS.find((each) => each === name);
  if (kind === undefined || id === undefined || mac === undefined) return null;
  return (await isSigned(unsubscribe, `${kind}.${id}`, mac)) ? { kind, id } : null;
}

/** @returns HMAC-SHA-256 of the address in lower case, in base64url */
export function digestEmail({ address: key }: NoticeKeys, email: string): Promise<string> {
  return sign(key, email.trim().toLowerCase());
}
