import { createSHA256 } from "hash-wasm";
import { MIB } from "#domain/units.ts";

/** Read so much at a time: all of the file that this thread ever holds. */
const SLICE_BYTES = MIB;

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
  for (let start = 0; start < file.size; start += SLICE_BYTES) {
    sha256.update(new Uint8Array(await file.slice(start, start + SLICE_BYTES).arrayBuffer()));
  }
  return sha256.digest("hex");
}
