import { AppError } from "#domain/errors.ts";
import { previewOf, TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import type { RequestContext } from "../context.ts";
import { createDownloadResponse, type Representation } from "./download-response.ts";

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

/** Does not count a download. @throws AppError FILE_EXPIRED if the bytes no longer exist */
export async function createPreviewResponse(
  context: RequestContext,
  representation: Representation,
): Promise<Response> {
  const response = await createDownloadResponse(context, representation);
  response.headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}
