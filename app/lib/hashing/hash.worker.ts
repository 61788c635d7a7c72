import { createSHA256 } from "hash-wasm";
import { createByteReader } from "./read-bytes.ts";

/** Receives one file; answers the file's SHA-256 in hex, or null if the file cannot be read. */
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
  const read = createByteReader(file);
  for (let bytes = await read(); bytes !== null; bytes = await read()) sha256.update(bytes);
  return sha256.digest("hex");
}
