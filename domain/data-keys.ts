import { fromBase64url, toBase64url } from "./bytes-as-text.ts";
import { deriveBits } from "./token-keys.ts";

/** A key for secrets that the server has to read back, such as the secrets of webhooks. */
interface DataKey {
  /** Names the key at the start of each text that the key has encrypted. */
  id: string;
  key: CryptoKey;
}

export interface DataKeys {
  present: DataKey;
  /** Decrypts secrets that were encrypted before the present key was set. Null when no such secrets are left. */
  former: DataKey | null;
}

const NONCE_BYTES = 12;
const ID_LENGTH = 8;

const encoder = new TextEncoder();

/** @param formerSecret empty for no former key */
export async function deriveDataKeys(secret: string, formerSecret: string): Promise<DataKeys> {
  const [present, former] = await Promise.all([
    deriveDataKey(secret),
    formerSecret === "" ? null : deriveDataKey(formerSecret),
  ]);
  return { present, former };
}

/** @param secret of the installation @returns an AES-256-GCM key, derived with HKDF (RFC 5869) */
async function deriveDataKey(secret: string): Promise<DataKey> {
  const [bits, id] = await Promise.all([
    deriveBits(secret, "mayfly data key"),
    deriveBits(secret, "mayfly data key id"),
  ]);
  const key = await crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { id: toBase64url(new Uint8Array(id)).slice(0, ID_LENGTH), key };
}

/** @param owner whom the secret belongs to; `openSecret` needs the same owner @returns `id.nonce.ciphertext` */
export async function sealSecret({ present: { id, key } }: DataKeys, owner: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const parameters = { name: "AES-GCM", iv, additionalData: encoder.encode(owner) };
  const sealed = await crypto.subtle.encrypt(parameters, key, encoder.encode(secret));
  return `${id}.${toBase64url(iv)}.${toBase64url(new Uint8Array(sealed))}`;
}

/** @returns the secret; null for a secret of another key or another owner, and for a changed text */
export async function openSecret({ present, former }: DataKeys, owner: string, sealed: string): Promise<string | null> {
  const [keyId, nonce, ciphertext] = sealed.split(".");
  const key = [present, former].find((one) => one?.id === keyId)?.key;
  const iv = fromBase64url(nonce ?? "");
  const bytes = fromBase64url(ciphertext ?? "");
  if (!key || !iv || !bytes) return null;
  try {
    const parameters = { name: "AES-GCM", iv, additionalData: encoder.encode(owner) };
    return new TextDecoder().decode(await crypto.subtle.decrypt(parameters, key, bytes));
  } catch {
    return null;
  }
}
