import { KDF_COST, checkKdf, type Kdf } from "#domain/seal/password.ts";
import { randomBytes, SALT_BYTES, type Bytes } from "#domain/seal/keys.ts";
import { toBase64url } from "#domain/base64url.ts";
import type { HashRequest } from "./password-hash.worker.ts";

/** What the hash of a new password costs, with a salt of its own. */
export function newKdf(): Kdf {
  return { ...KDF_COST, salt: toBase64url(randomBytes(SALT_BYTES)) };
}

/**
 * Argon2id, in a thread of its own: it takes a while, and pages may not compile WebAssembly.
 * @returns 32 bytes @throws SealError `version` for a cost that is refused; TypeError if the thread does not start
 */
export function hashPassword(password: string, kdf: Kdf): Promise<Bytes> {
  const request: HashRequest = { password: password.normalize("NFC"), kdf, salt: checkKdf(kdf) };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./password-hash.worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Bytes>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = () => {
      worker.terminate();
      reject(new TypeError("the password could not be hashed"));
    };
    worker.postMessage(request);
  });
}
