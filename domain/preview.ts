import { MIB } from "./units.ts";

/** How a file is shown on its download page. */
export type PreviewKind = "image" | "video" | "audio" | "pdf" | "text";

export interface Preview {
  kind: PreviewKind;
  /** What its bytes are served as: never a type that a browser would open as a page of ours. */
  contentType: string;
}

/** Texts are shown up to here, and the preview's address serves no more of them (decisions, Content). */
export const TEXT_PREVIEW_BYTES = MIB;

/** An image up to here is shown at once; a larger one is fetched only when somebody asks for it. */
export const IMAGE_AUTOLOAD_MAX_BYTES = 10 * MIB;

const TEXT: Preview = { kind: "text", contentType: "text/plain; charset=utf-8" };
const PDF: Preview = { kind: "pdf", contentType: "application/pdf" };

/**
 * Media types that browsers play and show, under the names that senders' devices give them. What is served is the
 * registered name: a QuickTime file is told as MP4, its sibling, which more browsers agree to open.
 */
const MEDIA: Record<string, Preview> = {
  ...media("image", "apng", "avif", "bmp", "gif", "jpeg", "png", "svg+xml", "webp"),
  ...alias("image/jpeg", "image/jpg", "image/pjpeg"),
  ...alias("image/bmp", "image/x-ms-bmp"),
  ...alias("image/x-icon", "image/x-icon", "image/vnd.microsoft.icon"),
  ...media("video", "mp4", "ogg", "webm"),
  ...alias("video/mp4", "video/quicktime", "video/x-m4v"),
  ...media("audio", "aac", "flac", "mp4", "mpeg", "ogg", "wav", "webm"),
  ...alias("audio/aac", "audio/x-aac"),
  ...alias("audio/flac", "audio/x-flac"),
  ...alias("audio/mp4", "audio/m4a", "audio/x-m4a"),
  ...alias("audio/mpeg", "audio/mp3"),
  ...alias("audio/ogg", "audio/opus"),
  ...alias("audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"),
};

/** Texts that are not named `text/…`. */
const TEXTS_BY_ANOTHER_NAME = new Set([
  "application/javascript",
  "application/json",
  "application/sql",
  "application/toml",
  "application/x-sh",
  "application/xml",
  "application/yaml",
]);

/**
 * How a file of that type is previewed (decisions, Content): an allowlist, so a type nobody thought of has none.
 * @param mimeType with or without parameters, in any case
 */
export function previewOf(mimeType: string): Preview | null {
  const type = (mimeType.split(";")[0] ?? "").trim().toLowerCase();
  // Not even as text (decisions, Content).
  if (type === "text/html") return null;
  if (type === PDF.contentType) return PDF;
  if (Object.hasOwn(MEDIA, type)) return MEDIA[type] ?? null;
  return type.startsWith("text/") || TEXTS_BY_ANOTHER_NAME.has(type) ? TEXT : null;
}

/** Whether the preview waits for a click, so that nobody pays for bytes they did not ask for. */
export function previewNeedsClick({ kind }: Preview, sizeBytes: number): boolean {
  if (kind === "image") return sizeBytes > IMAGE_AUTOLOAD_MAX_BYTES;
  return kind === "pdf" || kind === "text";
}

function media(kind: "image" | "video" | "audio", ...subtypes: string[]): Record<string, Preview> {
  return Object.fromEntries(
    subtypes.map((subtype) => [`${kind}/${subtype}`, { kind, contentType: `${kind}/${subtype}` }]),
  );
}

function alias(contentType: `${"image" | "video" | "audio"}/${string}`, ...names: string[]): Record<string, Preview> {
  const kind = contentType.split("/")[0] as "image" | "video" | "audio";
  return Object.fromEntries(names.map((name) => [name, { kind, contentType }]));
}
