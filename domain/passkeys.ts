import { fromBase64url, toBase64url } from "./bytes-as-text.ts";
import { deriveTokenKey } from "./token-keys.ts";
import { MINUTE_MS } from "./units.ts";

/** What a passkey proves. A challenge for one purpose is not valid for another. */
export const PASSKEY_PURPOSES = ["login", "second-factor", "confirm"] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];
type ChallengePurpose = PasskeyPurpose | "add";

export const MAX_PASSKEYS = 20;
export const PASSKEY_NAME_MAX_LENGTH = 60;

/** ES256, EdDSA and RS256, by their numbers in COSE (RFC 9053, RFC 8812), the preferred one first. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-7, -8, -257];

/** How long a challenge is valid. A page that waits for autofill asks for a new challenge before this time is over. */
export const CHALLENGE_TTL_MS = 5 * MINUTE_MS;

const MOMENT_BYTES = 8;
const RANDOM_BYTES = 16;
const MAC_START = MOMENT_BYTES + RANDOM_BYTES;
const CHALLENGE_BYTES = MAC_START + 32;

const encoder = new TextEncoder();

/** @param secret of the installation @returns a key for challenges alone */
export function deriveChallengeKey(secret: string): Promise<CryptoKey> {
  return deriveTokenKey(secret, "mayfly passkey challenge");
}

/** The purpose and the holder that a challenge is valid for. */
export interface ChallengeScope {
  purpose: ChallengePurpose;
  /** The id of the session or the sign-in that asks for the challenge; "" for a stranger, who has neither. */
  holder: string;
}

/**
 * Creates a challenge without storing it: its bytes are the time, 16 random bytes, and a MAC of both and the scope.
 * @param now epoch milliseconds @returns base64url
 */
export async function issueChallenge(key: CryptoKey, scope: ChallengeScope, now: number): Promise<string> {
  const challenge = new Uint8Array(CHALLENGE_BYTES);
  new DataView(challenge.buffer).setBigUint64(0, BigInt(now));
  crypto.getRandomValues(challenge.subarray(MOMENT_BYTES, MAC_START));
  const mac = await crypto.subtle.sign("HMAC", key, signedBytes(challenge, scope));
  challenge.set(new Uint8Array(mac), MAC_START);
  return toBase64url(challenge);
}

export interface ReadChallenge {
  /** The challenge in one spelling: browsers may write the last character of base64url differently. */
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** @param now epoch milliseconds @returns null for a challenge that is not ours, is for another scope, or expired */
export async function readChallenge(
  key: CryptoKey,
  scope: ChallengeScope,
  challenge: string,
  now: number,
): Promise<ReadChallenge | null> {
  const bytes = fromBase64url(challenge);
  if (bytes?.length !== CHALLENGE_BYTES) return null;
  const isOurs = await crypto.subtle.verify("HMAC", key, bytes.subarray(MAC_START), signedBytes(bytes, scope));
  if (!isOurs) return null;
  const expiresAt = Number(new DataView(bytes.buffer).getBigUint64(0)) + CHALLENGE_TTL_MS;
  return expiresAt > now ? { id: toBase64url(bytes), expiresAt } : null;
}

function signedBytes(challenge: Uint8Array, { purpose, holder }: ChallengeScope): Uint8Array<ArrayBuffer> {
  const scope = encoder.encode(`${purpose} ${holder}`);
  const bytes = new Uint8Array(MAC_START + scope.length);
  bytes.set(challenge.subarray(0, MAC_START));
  bytes.set(scope, MAC_START);
  return bytes;
}

/** @param userId a UUID @returns its 16 bytes as base64url, which reveal no personal data (WebAuthn Level 3, 14.6.1) */
export function userHandleOf(userId: string): string {
  const pairs = userId.replaceAll("-", "").match(/../g) ?? [];
  return toBase64url(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)));
}
