import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { newLinkToken, shardOfRowId } from "#domain/ids.ts";
import type { CurrentUser, ReceivedPage, ReceivedTransfer, RefuseSenderRequest } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { findReceived, listReceivedAfter, makeLinkOfReceived, type ReceivedRow } from "../db/received.ts";
import { updateRequest } from "../db/upload-requests.ts";
import { keepReport } from "../downloads/report.ts";
import { expiredError } from "../errors/link-errors.ts";
import { firstPicturesOf } from "../links/describe-link.ts";
import { deleteFile } from "../files/files.ts";
import { readPosition, writePosition } from "../files/list-after.ts";
import type { Services } from "../services.ts";
import { shareUrl, toIso } from "../urls.ts";

const RECEIVED_PER_PAGE = 50;

interface ReceivedSelection {
  cursor?: string | undefined;
  request?: string | null | undefined;
  limit?: number | undefined;
}

/**
 * Lists received transfers, newest first.
 * @param query `request`: the id of an upload request
 * @param now epoch milliseconds
 * @throws AppError BAD_REQUEST
 */
export async function listReceived(
  services: Services,
  user: Pick<CurrentUser, "id">,
  { cursor, request = null, limit = RECEIVED_PER_PAGE }: ReceivedSelection,
  now: number,
): Promise<ReceivedPage> {
  const after = cursor === undefined ? null : readPosition(cursor);
  const { rows, end } = await listReceivedAfter(services.db, user.id, request, after, limit, now);
  return { items: rows.map((row) => toReceived(services, row, now)), next: end && writePosition(end) };
}

/**
 * Makes a link by which other people get a received transfer. Idempotent.
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED
 */
export async function forwardReceived(
  services: Services,
  user: Pick<CurrentUser, "id">,
  id: string,
  now: number,
): Promise<ReceivedTransfer> {
  const { file } = await getReceived(services, user, id);
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw expiredError(file);
  await makeLinkOfReceived(services.db, user.id, id, newLinkToken(shardOfRowId(id)), now);
  return toReceived(services, await getReceived(services, user, id), now);
}

/**
 * Reports a received transfer, and deletes it. With `what: "request"`, the upload request through which it came is
 * closed, too.
 * @throws AppError FILE_NOT_FOUND
 */
export async function refuseSender(
  context: RequestContext,
  user: CurrentUser,
  id: string,
  { what, reason }: RefuseSenderRequest,
  now: number,
): Promise<void> {
  const { services } = context;
  const { file } = await getReceived(services, user, id);
  const report = { reason: "other", message: reason, email: user.email } as const;
  await keepReport(context, file, report, now);
  if (what === "request" && file.fileRequestId !== null) {
    await updateRequest(services.db, user.id, file.fileRequestId, { closedAt: new Date(now) }, null, now);
  }
  await deleteFile(services, user, id, now);
}

async function getReceived({ db }: Services, { id: userId }: Pick<CurrentUser, "id">, id: string) {
  const row = await findReceived(db, userId, id);
  if (!row) throw new AppError("FILE_NOT_FOUND");
  return row;
}

function toReceived({ settings }: Services, { file, requestTitle }: ReceivedRow, now: number): ReceivedTransfer {
  return {
    id: file.id,
    downloadId: file.downloadId,
    requestId: file.fileRequestId ?? "",
    requestTitle,
    title: file.filename,
    size: file.size,
    entries: file.entryCount ?? 1,
    receivedAt: (file.uploadedAt ?? file.createdAt).toISOString(),
    expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    senderName: file.senderName,
    senderEmail: file.senderEmail,
    senderNote: file.senderNote,
    link: file.forwardedAt === null ? null : shareUrl(settings, file.downloadId),
    ...firstPicturesOf(file, now),
  };
}
