import { WRONG_LENGTH } from "./read-messages.ts";

/** @returns the bytes, or what went wrong */
export async function readExactly(blob: Blob, sizeBytes: number): Promise<ArrayBuffer | string> {
  try {
    const bytes = await blob.arrayBuffer();
    return bytes.byteLength === sizeBytes ? bytes : WRONG_LENGTH;
  } catch (error) {
    return error instanceof Error || error instanceof DOMException ? error.name : String(error);
  }
}
