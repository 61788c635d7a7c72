import type { Locale } from "#domain/locale.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";

/** The limits of a request as its form shows them. */
export function typedSizes(request: ListedUploadRequest | null, locale: Locale) {
  const write = (bytes: number | null | undefined) => (bytes == null ? "" : formatBytes(bytes, locale));
  return { mostBytes: write(request?.mostBytes), mostFileBytes: write(request?.mostFileBytes) };
}
