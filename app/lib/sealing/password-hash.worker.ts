import { argon2id } from "hash-wasm";
import { PASSWORD_HASH_BYTES, type Kdf } from "#domain/seal/password.ts";

/** The password in Unicode NFC, with the key derivation's parameters and the decoded salt. */
export interface HashRequest {
  password: string;
  kdf: Kdf;
  salt: Uint8Array<ArrayBuffer>;
}

addEventListener("message", ({ data: { password, kdf, salt } }: MessageEvent<HashRequest>) => {
  const { mKiB: memorySize, t: iterations, p: parallelism } = kdf;
  argon2id({
    password,
    salt,
    memorySize,
    iterations,
    parallelism,
    hashLength: PASSWORD_HASH_BYTES,
    outputType: "binary",
  }).then((hash) => postMessage(hash), reportError);
});
