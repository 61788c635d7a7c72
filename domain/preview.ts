import { MIB } from "./units.ts";

export type PreviewKind = "image" | "video" | "audio" | "pdf" | "text";

export interface Preview {
  kind: PreviewKind;
  /** The type that the bytes are served with, never one that a browser would open as a page of this origin. */
  contentType: string;
}

/** The preview of a text file shows its first bytes only, up to this size. */
export const TEXT_PREVIEW_BYTES = MIB;

/** Images above this size load only after a click. */
export const IMAGE_AUTOLOAD_MAX_BYTES = 10 * MIB;

/** Encrypted images above this size have no preview, because an image is decrypted as a whole into memory. */
export const SEALED_IMAGE_MAX_BYTES = 50 * MIB;
/** Encrypted videos and audio files above this size have no preview if no service worker can answer the player. */
export const SEALED_MEDIA_MAX_BYTES = 64 * MIB;

const TEXT: Preview = { kind: "text", contentType: "text/plain; charset=utf-8" };
const PDF: Preview = { kind: "pdf", contentType: "application/pdf" };

/**
 * Previews by media type, aliases included. QuickTime is served as MP4, a closely related format that more browsers
 * open.
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

const TEXT_TYPES_OUTSIDE_TEXT = new Set([
  "application/javascript",
  "application/json",
  "application/sql",
  "application/toml",
  "application/x-sh",
  "application/xml",
  "application/yaml",
]);

/** An allowlist (decision 017): an unknown type has no preview. The type may be in any case and have parameters. */
export function previewOf(mimeType: string): Preview | null {
  const type = (mimeType.split(";")[0] ?? "").trim().toLowerCase();
  // HTML is not previewed, not even as text (decision 017).
  if (type === "text/html") return null;
  if (type === PDF.contentType) return PDF;
  if (Object.hasOwn(MEDIA, type)) return MEDIA[type] ?? null;
  return type.startsWith("text/") || TEXT_TYPES_OUTSIDE_TEXT.has(type) ? TEXT : null;
}

/** Whether a browser that opens bytes of this type as a page runs the scripts in them. */
export function mayHaveScripts({ contentType }: Preview): boolean {
  return /html|xml|svg/.test(contentType);
}

/** Whether a preview shows what has arrived of its file: a film plays, and a text can be read from its beginning. */
export function showsWhileArriving({ kind }: Preview): boolean {
  return kind === "video" || kind === "audio" || kind === "text";
}

/** Large previews load after a click, to save the reader's data volume. */
export function previewNeedsClick({ kind }: Preview, sizeBytes: number): boolean {
  if (kind === "image") return sizeBytes > IMAGE_AUTOLOAD_MAX_BYTES;
  return kind === "pdf" || kind === "text";
}

/**
 * Whether a file is a text that its sender wrote on our page or with the command line (domain/texts.ts): its type says
 * UTF-8, which browsers do not say of files that people choose. A link's page shows such a text at once.
 */
export function isWrittenText({ mimeType, size }: { mimeType: string; size: number }): boolean {
  const saysUtf8 = /;\s*charset="?utf-8"?\s*(?:;|$)/i.test(mimeType);
  return saysUtf8 && size <= TEXT_PREVIEW_BYTES && previewOf(mimeType)?.kind === "text";
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
