import type { Manifest } from "#domain/seal/manifest.ts";

/** What a sealed link is called: a transfer's title, or the name of its file. */
export function nameOfManifest({ title, files }: Manifest): string {
  return title ?? files[0]?.name ?? "";
}

/** @returns bytes of all files */
export function sizeOfManifest({ files }: Manifest): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
