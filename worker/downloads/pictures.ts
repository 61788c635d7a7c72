import { AppError } from "#domain/errors.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import type { RequestContext } from "../context.ts";
import { openLink } from "../links/open-link.ts";

export async function servePicture(
  context: RequestContext,
  { downloadId }: { downloadId: string; n: number | null },
  _kind: PictureKind,
  now: number,
): Promise<Response> {
  await openLink(context, downloadId, "bytes", now);
  throw new AppError("PICTURE_NOT_FOUND");
}
