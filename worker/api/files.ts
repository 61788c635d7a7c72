import type { FILE_CALLS } from "#domain/calls/files.ts";
import { AppError } from "#domain/errors.ts";
import {
  changeFileRequest,
  changePreviewRequest,
  changeProtectionRequest,
  changeTransferRequest,
  deletionParams,
  shareFileRequest,
  shareWithManyRequest,
} from "#domain/wire.ts";
import { quotaHolderOf } from "../callers/caller.ts";
import { changeProtection, readProtection } from "../files/change-protection.ts";
import { deleteByToken } from "../files/deletion.ts";
import { changeFile, deleteFile, listFiles, readDetails } from "../files/files.ts";
import { changePreview, changePreviews, readPreviews } from "../files/previews.ts";
import { mailLinkWithinLimits } from "../notices/mail-link.ts";
import { changeNotify, mailAgain, readRecipients, stopMailing } from "../notices/recipients.ts";
import type { Services } from "../services.ts";
import { removeOwnEntry } from "../transfers/remove-entry.ts";
import { putManifest } from "../uploads/manifest.ts";
import { parse } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const fileHandlers: Handlers<typeof FILE_CALLS> = {
  "GET /api/files": async ({ c, services, user, query, now }) => {
    const page = await listFiles(services, user, query, now);
    return Object.keys(query).length === 0 ? c.json(page.files) : page;
  },
  "GET /api/files/:id": ({ services, user, params, now }) => readDetails(services, user, params.id, now),
  "PATCH /api/files/:id": async ({ context, services, owner, params, body, now }) => {
    if ("guards" in body) {
      requireAlone(body, "guards");
      const { guards } = parse(changeProtectionRequest, body);
      await context.enforceRateLimit("changeGuards", quotaHolderOf(owner) ?? undefined);
      return changeProtection(services, owner, params.id, guards, now);
    }
    if ("showsPicture" in body) {
      requireAlone(body, "showsPicture");
      const { showsPicture } = parse(changePreviewRequest, body);
      return changePreview(services, owner, params.id, showsPicture, now);
    }
    const request = parse("message" in body ? changeTransferRequest : changeFileRequest, body);
    return changeFile(services, owner, params.id, request, now);
  },
  "PUT /api/files/:id/manifest": ({ services, owner, params, body }) => putManifest(services, owner, params.id, body),
  "GET /api/files/:id/guards": ({ services, owner, params }) => readProtection(services, owner, params.id),
  "POST /api/files/:id/share": ({ context, user, params, body, now }) => {
    if ("email" in body && "emails" in body) requireAlone(body, "email");
    const { note, ...to } = "emails" in body ? parse(shareWithManyRequest, body) : parse(shareFileRequest, body);
    const emails = "emails" in to ? to.emails : [to.email];
    return mailLinkWithinLimits(context, user, params.id, { emails, note }, now);
  },
  "GET /api/files/:id/recipients": ({ services, user, params }) => readRecipients(services, user, params.id),
  "POST /api/files/:id/recipients/:recipientId/again": ({ context, user, params, now }) =>
    mailAgain(context, user, params, now),
  "DELETE /api/files/:id/recipients/:recipientId": ({ services, user, params, now }) =>
    stopMailing(services, user, params, now),
  "PATCH /api/files/:id/notify": async ({ services, user, params, body }) => {
    await changeNotify(services, user, params.id, body.notify);
    return body;
  },
  "DELETE /api/files/:id/entries/:n": ({ services, owner, params, now }) =>
    removeOwnEntry(services, owner, params.id, params.n, now),
  "DELETE /api/files/:id": ({ services, user, params, now }) => deleteFile(services, user, params.id, now),

  "DELETE /delete/:id/:token": ({ services, params, now }) => deleteNamed(services, params, now),
  "GET /api/previews": ({ services, user }) => readPreviews(services, user),
  "PATCH /api/previews": ({ services, user, body }) => changePreviews(services, user, body),

  // Redirects to the link's page, which says that the file has been removed.
  "POST /delete/:id/:token": async ({ c, services, params, now }) =>
    c.redirect(`/download/${await deleteNamed(services, params, now)}`, 303),
};

/**
 * A link's protection is stored apart from its names and notes, so one call cannot change both.
 * @throws AppError BAD_REQUEST
 */
function requireAlone(body: Record<string, unknown>, field: string): void {
  if (Object.keys(body).length > 1) throw new AppError("BAD_REQUEST", { message: `Change ${field} by itself.`, field });
}

function deleteNamed(services: Services, params: object, now: number): Promise<string> {
  const { id, token } = parse(deletionParams, params);
  return deleteByToken(services, id, token, now);
}
