import type { Bytes } from "#domain/seal/keys.ts";
import { checkKdf } from "#domain/seal/password.ts";
import type { HashPassword } from "#engine/sealing/link-keys.ts";
import type { HashRequest } from "./password-hash.worker.ts";

/** Hashes in a Web Worker, because hashing takes long and pages may not compile WebAssembly. */
export const hashPassword: HashPassword = (password, kdf) => {
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
};
