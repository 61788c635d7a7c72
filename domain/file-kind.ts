import { extensionOf } from "./mime.ts";

/** What a file looks like to a person, told by its name alone. */
export type FileKind =
  "pdf" | "text" | "spreadsheet" | "presentation" | "image" | "video" | "audio" | "archive" | "other";

/** Specification 1 section 2, Dashboard. */
const EXTENSIONS: Record<Exclude<FileKind, "other">, string> = {
  pdf: "pdf",
  text: "doc docx",
  spreadsheet: "xls xlsx",
  presentation: "ppt pptx",
  image: "jpg jpeg png gif svg webp",
  video: "mp4 mov avi webm",
  audio: "mp3 wav ogg",
  archive: "zip rar 7z tar gz",
};

const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, extensions]) =>
    extensions.split(" ").map((extension) => [extension, kind as FileKind]),
  ),
);

/** The kind of a file of that name; "other" for any extension that is not listed. */
export function fileKindOf(filename: string): FileKind {
  return BY_EXTENSION.get(extensionOf(filename)) ?? "other";
}
