import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";

export interface RandomFile {
  path: string;
  sizeBytes: number;
  bytes: Uint8Array;
}

/** A file of random (incompressible) bytes, on disk and in memory. */
export async function randomFile(folder: string, sizeBytes: number): Promise<RandomFile> {
  const path = `${folder}/${sizeBytes}.bin`;
  const bytes = randomBytes(sizeBytes);
  await writeFile(path, bytes);
  return { path, sizeBytes, bytes };
}
