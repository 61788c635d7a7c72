import { MIB } from "#domain/units.ts";

/** Size of the buffer that all reads share, so that at most this much of a file is in memory. */
const BUFFER_BYTES = MIB;

type ReadBytes = () => Promise<Uint8Array | null>;

/** @returns a function that reads the next bytes, valid until the next call; null at the end; throws on failure */
export function createByteReader(file: Pick<Blob, "stream">): ReadBytes {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = file.stream().getReader({ mode: "byob" });
  } catch {
    // This browser's file streams are not byte streams, so each read allocates new memory.
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
