import { AppError } from "#domain/errors.ts";
import { previewOf, TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import type { RequestContext } from "../context.ts";
import { createDownloadResponse } from "./download-response.ts";
import type { OpenedLink } from "../links/open-link.ts";
import type { Representation } from "./representation.ts";

/**
 * A content type that cannot run scripts (decision 017), and how much of the file is served with it.
 * @throws AppError NO_PREVIEW
 */
export function requirePreview(mimeType: string, fileBytes: number): { contentType: string; sizeBytes: number } {
  const preview = previewOf(mimeType);
  if (!preview) throw new AppError("NO_PREVIEW");
  const sizeBytes = preview.kind === "text" ? Math.min(fileBytes, TEXT_PREVIEW_BYTES) : fileBytes;
  return { contentType: preview.contentType, sizeBytes };
}

/** Counts no download of an unlimited link. @throws AppError FILE_EXPIRED if the bytes no longer exist */
export async function createPreviewResponse(
  context: RequestContext,
  representation: Representation,
  lease: OpenedLink["lease"],
): Promise<Response> {
  const response = await createDownloadResponse(context, representation, { lease });
  response.headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}
