const FALLBACK_MIME_TYPE = "application/octet-stream";

/** The types by extension, for files for which the browser sends no type. */
const BY_EXTENSION: Record<string, string> = {
  "7z": "application/x-7z-compressed",
  aac: "audio/aac",
  avi: "video/x-msvideo",
  avif: "image/avif",
  bmp: "image/bmp",
  css: "text/css",
  csv: "text/csv",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  flac: "audio/flac",
  gif: "image/gif",
  gz: "application/gzip",
  heic: "image/heic",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  m4a: "audio/mp4",
  md: "text/markdown",
  mkv: "video/x-matroska",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  odt: "application/vnd.oasis.opendocument.text",
  ogg: "audio/ogg",
  pdf: "application/pdf",
  png: "image/png",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  rar: "application/vnd.rar",
  rtf: "application/rtf",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  tif: "image/tiff",
  tiff: "image/tiff",
  txt: "text/plain",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  zip: "application/zip",
};

/** @returns the extension in lower case; "" for a name without a dot */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot < 0 ? "" : filename.slice(dot + 1).toLowerCase();
}

/** Allowed characters and lengths of a type (RFC 6838 section 4.2). */
const ESSENCE = /^([\w!#$&^.+-]{1,127})\/([\w!#$&^.+-]{1,127})[ \t]*(?:;|$)/;
/** RFC 9110 section 5.6.6, without quoted pairs, which no charset needs. */
const CHARSET = /;[ \t]*charset=(?:"([\w:.-]+)"|([\w:.-]+))[ \t]*(?:;|$)/i;

/** ASCII-compatible WHATWG encodings. Cloudflare and the local runtime fail to rewrite HTML in an unknown charset. */
export const KNOWN_CHARSETS: ReadonlySet<string> = new Set([
  "utf-8",
  "us-ascii",
  "iso-8859-1",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-7",
  "iso-8859-15",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "koi8-r",
  "koi8-u",
  "big5",
  "euc-jp",
  "euc-kr",
  "gb18030",
  "gb2312",
  "gbk",
  "shift_jis",
]);

/** @returns `type/subtype` in lower case, with a known charset only (RFC 9110 section 8.3.1); null if invalid */
export function parseMimeType(announced: string): string | null {
  const text = announced.trim();
  const [, type, subtype] = ESSENCE.exec(text) ?? [];
  // A header may contain only printable ASCII and tabs.
  if (type === undefined || subtype === undefined || !/^[\t\x20-\x7e]*$/.test(text)) return null;
  const essence = `${type}/${subtype}`.toLowerCase();
  const charset = (charsetOf(text) ?? "").toLowerCase();
  return KNOWN_CHARSETS.has(charset) ? `${essence}; charset=${charset}` : essence;
}

/** @returns the charset parameter of a type, as it is written; null without one */
export function charsetOf(mimeType: string): string | null {
  const [, quoted, bare] = CHARSET.exec(mimeType) ?? [];
  return quoted ?? bare ?? null;
}

/** The type for responses. Rows written by earlier versions may contain types that are invalid today. */
export function servedMimeType(stored: string): string {
  return parseMimeType(stored) ?? FALLBACK_MIME_TYPE;
}

/** The type of an upload. An invalid announced type is no error, because it comes from the operating system. */
export function mimeTypeOf(filename: string, announced: string): string {
  const parsed = parseMimeType(announced);
  if (parsed !== null) return parsed;
  const extension = extensionOf(filename);
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? FALLBACK_MIME_TYPE) : FALLBACK_MIME_TYPE;
}
