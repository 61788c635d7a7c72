import type { ListedFile } from "#domain/wire.ts";

/** A file's name, or a transfer's title: its file name is the ZIP's. */
export function nameOf({ filename, title }: Pick<ListedFile, "filename" | "title">): string {
  return title ?? filename;
}
