import { safeFilename } from "#domain/safe-filename.ts";
import type { FileRow } from "../db/files.ts";

/** What mails and the admin log call a file or a transfer. Nobody but its recipients knows the name of an encrypted one. */
export function mailedName({ filename, seal }: Pick<FileRow, "filename" | "seal">): string {
  return seal === null ? safeFilename(filename) : "Encrypted transfer";
}
