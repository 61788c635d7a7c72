import { MIB } from "#domain/units.ts";

/** Reused for each read: the most of a file that is held in memory. */
const BUFFER_BYTES = MIB;

type ReadBytes = () => Promise<Uint8Array | null>;

/**
 * Reads a file from its first byte to its last.
 * @returns a function that returns the next bytes, valid until the next call, then null; it throws if the file cannot be read
 */
export function createByteReader(file: Pick<Blob, "stream">): ReadBytes {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = file.stream().getReader({ mode: "byob" });
  } catch {
    // This browser's file streams are not byte streams: each read allocates new memory.
    return createDefaultReader(file);
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return async () => {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done) return null;
    buffer = value.buffer;
    return value;
  };
}

function createDefaultReader(file: Pick<Blob, "stream">): ReadBytes {
  const reader = file.stream().getReader();
  return async () => (await reader.read()).value ?? null;
}
