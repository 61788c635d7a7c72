import { createSHA256 } from "hash-wasm";
import { openBytes } from "./read-bytes.ts";

/** Hashes the one file it is sent, and answers its SHA-256 in hex, or null when the file could not be read. */
addEventListener("message", (event: MessageEvent<Blob>) => {
  hash(event.data).then(
    (sha256) => {
      postMessage(sha256);
    },
    () => {
      postMessage(null);
    },
  );
});

async function hash(file: Blob): Promise<string> {
  const sha256 = await createSHA256();
  const next = openBytes(file);
  for (let bytes = await next(); bytes !== null; bytes = await next()) sha256.update(bytes);
  return sha256.digest("hex");
}
