import { MIB } from "#domain/units.ts";

/** Read so much at a time, into the same memory: all of a file that is ever held. */
const BUFFER_BYTES = MIB;

/**
 * Opens a file for reading from first byte to last.
 * @returns what reads on: bytes that are good until the next call, then null; it throws when the file cannot be read
 */
export function openBytes(file: Pick<Blob, "stream">): () => Promise<Uint8Array | null> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = file.stream().getReader({ mode: "byob" });
  } catch {
    // A browser whose files are not streams of bytes (Streams standard, section 4.7): each read takes new memory.
    return openChunks(file);
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return async () => {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done) return null;
    buffer = value.buffer;
    return value;
  };
}

function openChunks(file: Pick<Blob, "stream">): () => Promise<Uint8Array | null> {
  const reader = file.stream().getReader();
  return async () => (await reader.read()).value ?? null;
}
