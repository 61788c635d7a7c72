import { AppError } from "#domain/errors.ts";
import { checkPreconditions } from "#domain/http-semantics.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import { HOUR_MS, SECOND_MS } from "#domain/units.ts";
import type { FoundPicture } from "#durable-objects/shared/pictures.ts";
import { anySessionOf } from "../callers/sessions.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { askGate } from "../links/leases.ts";
import { isGuarded, openLink } from "../links/open-link.ts";
import { pictureKey } from "../storage/keys.ts";
import { SECURITY_HEADERS } from "./download-response.ts";

/** How long a browser may keep a picture of a link without protection. */
const KEPT_MS = HOUR_MS;

/**
 * Sends a picture to who may have the bytes behind the link, also while they are uploaded. Nothing is counted, and no
 * lease is begun or prolonged.
 * @param n null for a single file @param now epoch milliseconds
 * @throws AppError PICTURE_NOT_FOUND, LEASE_NEEDED for a limited link, and the errors of `openLink`
 */
export async function servePicture(
  context: RequestContext,
  { downloadId, n }: { downloadId: string; n: number | null },
  kind: PictureKind,
  now: number,
): Promise<Response> {
  const { services, request } = context;
  const { file, lease } = await openLink(context, downloadId, "bytes", now);
  if (lease && (lease.begins || !(await askGate(services, downloadId, (gate) => gate.holds(lease.id))))) {
    throw new AppError("LEASE_NEEDED");
  }
  const isOfLink = (n === null) === (file.entryCount === null);
  const hasPictures = isOfLink && file.pictureObjects > 0;
  const picture = hasPictures ? await anySessionOf(services, file).findPicture(n ?? 0, kind) : null;
  if (!picture) throw new AppError("PICTURE_NOT_FOUND");
  const { object, offset, length, type }: FoundPicture = picture;
  // A picture that is sent again is stored in another object.
  const validators = { etag: `"${file.id}-${n ?? 0}-${kind}-${object}"`, modifiedAt: file.createdAt.getTime() };
  const headers = new Headers({ ...SECURITY_HEADERS, "cache-control": cachingOf(file, now), etag: validators.etag });
  const precondition = checkPreconditions(request.headers, validators);
  if (precondition !== "proceed") {
    return new Response(null, { status: precondition === "not-modified" ? 304 : 412, headers });
  }
  headers.set("content-type", type);
  headers.set("content-length", String(length));
  if (request.method === "HEAD") return new Response(null, { headers });
  const stored = await services.bucket.get(pictureKey(file.id, object), { range: { offset, length } });
  if (!stored) throw new AppError("PICTURE_NOT_FOUND");
  return new Response(stored.body, { headers });
}

/** Only an unprotected link's pictures are shown again without a question to the server. */
function cachingOf(file: FileRow, now: number): string {
  if (isGuarded(file)) return "private, no-cache, no-transform";
  const keptMs = Math.min(KEPT_MS, (file.expiresAt?.getTime() ?? Infinity) - now);
  return `private, max-age=${Math.floor(keptMs / SECOND_MS)}, no-transform`;
}
