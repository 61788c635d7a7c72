import { AppError } from "#domain/errors.ts";
import type { SENT_CALLS } from "#domain/v1/sent.ts";
import type { TRANSFER_CALLS } from "#domain/v1/transfers.ts";
import { startTransferRequest, type ListedFile } from "#domain/wire.ts";
import { accountOf } from "../../callers/caller.ts";
import { listSentFiles, readCursor } from "../../downloads/link-files.ts";
import { changeProtection, readProtection } from "../../files/change-protection.ts";
import { changeFile, deleteFile, readFile } from "../../files/files.ts";
import { listAfter } from "../../files/list-after.ts";
import { mailLinkWithinLimits } from "../../notices/mail-link.ts";
import type { Services } from "../../services.ts";
import { finishTransfer, proxyObjectPart, sendBatch } from "../../transfers/continue-transfer.ts";
import { startTransfer } from "../../transfers/start-transfer.ts";
import { logRejections } from "../../uploads/upload-log.ts";
import { shareUrl } from "../../urls.ts";
import { contentLength, parse } from "../input.ts";
import type { Handlers } from "./handler.ts";
import { completedOf, readStartKey } from "./uploads.ts";

const ZIP = "application/zip";

export const transferHandlers: Handlers<keyof typeof TRANSFER_CALLS | keyof typeof SENT_CALLS> = {
  startTransfer: async ({ c, context, program, body, now }) => {
    const { services } = context;
    const { expires, ...rest } = body;
    const startKey = await readStartKey(c, body);
    const expiry = { expiration: expires, expirationChosen: expires !== undefined };
    const request = parse(startTransferRequest, { ...rest, ...expiry });
    const requested = { filename: request.title ?? "", sizeBytes: request.totals.bytes, mimeType: ZIP };
    const limit = context.enforceRateLimit("startByKey", program.user.id);
    const started = await logRejections(services, program.caller, requested, () =>
      startTransfer(services, program.caller, request, limit, now, startKey),
    );
    const { uploadId: id, shareUrl: link, ...answer } = started;
    return { id, link, ...answer };
  },
  addFiles: ({ context, program, params, body }) => sendBatch(context.services, program.caller, params.id, body),
  listTransferFiles: async ({ context, program, params, query }) => {
    const range = { from: readCursor(query.cursor), limit: query.limit };
    const { files, next } = await listSentFiles(context.services, program.caller, params.id, range);
    return { items: files.map(({ path: name, ...file }) => ({ name, ...file })), next: next?.toString() ?? null };
  },
  sendObjectPart: async ({ c, context, program, params }) => {
    const body = c.req.raw.body ?? new Blob([]).stream();
    const address = { downloadId: params.id, object: params.object, part: params.part };
    const receipt = await proxyObjectPart(context.services, program.caller, address, {
      length: contentLength(c),
      body,
    });
    c.header("etag", `"${receipt.etag}"`);
    return receipt;
  },
  completeTransfer: async ({ context, program, params, body }) => {
    const finished = await finishTransfer(context.services, program.caller, params.id, body);
    return { ...completedOf(finished), zipSize: finished.zipSize, entries: finished.entries };
  },
  listTransfers: async ({ context, program, query, now }) => {
    const { items, next } = await listAfter(context.services, program.user.id, query, now);
    return { items: items.map((file) => transferOf(context.services, file)), next };
  },
  readTransfer: async ({ context, program, params, now }) =>
    transferOf(context.services, await readFile(context.services, program.user, params.id, now)),
  changeTransfer: async ({ context, program, params, body, now }) => {
    const { services, enforceRateLimit } = context;
    const { guards, name, expires, expiresAt, message, labels } = body;
    if (guards === undefined) {
      const change = { filename: name, expiration: expires, expiresAt, message, labels };
      return transferOf(services, await changeFile(services, accountOf(program.user), params.id, change, now));
    }
    // A password or download limit is stored apart from names and messages, and so changes alone.
    if ([name, expires, expiresAt, message, labels].some((other) => other !== undefined)) {
      throw new AppError("BAD_REQUEST", { message: "Change guards by itself.", field: "guards" });
    }
    await enforceRateLimit("changeGuards", program.user.id);
    return transferOf(services, await changeProtection(services, accountOf(program.user), params.id, guards, now));
  },
  deleteTransfer: async ({ context, program, params, now }) => {
    await deleteFile(context.services, program.user, params.id, now);
    return undefined;
  },
  mailTransfer: async ({ context, program, params, body, now }) => {
    const { email, note } = body;
    await mailLinkWithinLimits(context, program.user, params.id, { emails: [email], note }, now);
    return undefined;
  },
  readDownloads: async ({ context, program, params, now }) => {
    const [file, guards] = await Promise.all([
      readFile(context.services, program.user, params.id, now),
      readProtection(context.services, accountOf(program.user), params.id),
    ]);
    const { maxDownloads, downloadsUsed, running, isWaiting } = guards;
    return { downloads: file.downloadCount, maxDownloads, downloadsUsed, running, isWaiting };
  },
};

/**
 * Renames fields to those of `/api/v1`. For a transfer without a link, the download id is null here, because it is for
 * the owner's pages alone.
 */
function transferOf({ settings }: Services, file: ListedFile) {
  const { id, filename: name, size, uploadedAt, expiresAt, isExpired, downloadCount: downloads } = file;
  const downloadId = file.hasLink === false ? null : file.downloadId;
  const { entries, title, message, guards, seal, pictures, labels } = file;
  return {
    id,
    downloadId,
    link: downloadId && shareUrl(settings, downloadId),
    name,
    size,
    uploadedAt,
    expiresAt,
    isExpired,
    downloads,
    ...(entries !== undefined && { entries, title, message }),
    guards,
    seal,
    pictures,
    labels,
  };
}
