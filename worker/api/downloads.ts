import type { Context } from "hono";
import type { DOWNLOAD_CALLS } from "#domain/calls/downloads.ts";
import { AppError } from "#domain/errors.ts";
import { downloadId as downloadIdSchema, unlockRequest, type TakeQuery, type UnlockRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { noteOpened, takeDownload } from "../downloads/counted-downloads.ts";
import { serveContent, servePreview } from "../downloads/download-content.ts";
import { getDownloadInfo } from "../downloads/download-info.ts";
import { listEntries, serveEntry, serveEntryPreview } from "../downloads/entries.ts";
import { servePicture } from "../downloads/pictures.ts";
import { reportFile } from "../downloads/report.ts";
import { unlockLink } from "../downloads/unlock-link.ts";
import { recipientTokenOf } from "../links/open-link.ts";
import { parse, readJson, readText } from "./input.ts";
import type { Handlers } from "./mount.ts";
import { followUpload } from "./socket.ts";

const FORM = /^application\/x-www-form-urlencoded\b/i;
const FORM_MAX_BYTES = 4096;

export const downloadHandlers: Handlers<typeof DOWNLOAD_CALLS> = {
  "GET /api/files/download/:downloadId": ({ c, context, params, now }) => {
    c.header("referrer-policy", "no-referrer");
    return getDownloadInfo(context, params.downloadId, now);
  },
  "GET /api/files/download/:downloadId/live": ({ c, params }) => followUpload(c, params.downloadId),
  "POST /api/files/download/:downloadId/unlock": async ({ c, context, params: { downloadId } }) => {
    const unlock = (request: UnlockRequest) => unlockLink(context, downloadId, request, Date.now());
    if (!isForm(c)) return unlock(await readJson(c, unlockRequest));
    return answerForm(c, async () => {
      await unlock(parse(unlockRequest, await readForm(c)));
      return pageOf(c);
    });
  },
  "POST /api/files/download/:downloadId/take": ({ c, context, params: { downloadId }, query, now }) => {
    if (!isForm(c)) return takeDownload(context, downloadId, now);
    return answerForm(c, async () => {
      const { lease } = await takeDownload(context, downloadId, now);
      return bytesOf(downloadId, query, lease);
    });
  },
  "POST /api/files/download/:downloadId/opened": ({ context, params, body, now }) =>
    noteOpened(context, params.downloadId, body, now),
  "POST /api/files/download/:downloadId/report": ({ context, params, body, now }) =>
    reportFile(context, params.downloadId, body, now),
  "GET /api/files/download/:downloadId/content": ({ c, context, params, query, now }) =>
    answerBytes(c, () => serveContent(context, params.downloadId, now, query)),
  "GET /api/files/download/:downloadId/preview": ({ c, context, params, query, now }) =>
    answerBytes(c, () => servePreview(context, params.downloadId, now, query)),
  "GET /api/files/download/:downloadId/tile": ({ context, params, now }) =>
    servePicture(context, { ...params, n: null }, "tile", now),
  "GET /api/files/download/:downloadId/view": ({ context, params, now }) =>
    servePicture(context, { ...params, n: null }, "view", now),
  "GET /api/files/download/:downloadId/entries": ({ c, context, params: { downloadId }, query: { from }, now }) => {
    c.header("referrer-policy", "no-referrer");
    return listEntries(context, { downloadId, from }, now);
  },
  "GET /api/files/download/:downloadId/entries/:n/content": ({ c, context, params, query, now }) =>
    answerBytes(c, () => serveEntry(context, params, now, query)),
  "GET /api/files/download/:downloadId/entries/:n/preview": ({ c, context, params, query, now }) =>
    answerBytes(c, () => serveEntryPreview(context, params, now, query)),
  "GET /api/files/download/:downloadId/entries/:n/tile": ({ context, params, now }) =>
    servePicture(context, params, "tile", now),
  "GET /api/files/download/:downloadId/entries/:n/view": ({ context, params, now }) =>
    servePicture(context, params, "view", now),
};

/** The errors of bytes that the link's page explains, and goes on from. */
const EXPLAINED_BY_PAGE = new Set(["LINK_LOCKED", "LEASE_NEEDED", "UPLOAD_UNFINISHED", "TOO_MANY_FOLLOWERS"]);

/** Redirects a browser that navigates to bytes that it cannot have yet to the link's page. */
async function answerBytes(c: Context<AppEnv>, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const isExplained = error instanceof AppError && EXPLAINED_BY_PAGE.has(error.code);
    if (!isExplained || !isOfPage(c)) throw error;
    return c.redirect(pageOf(c), 303);
  }
}

/**
 * Answers a form that the link's page posts without scripts. On an error, redirects to the link's page, which shows it.
 * @param act returns the URL to redirect to
 */
async function answerForm(c: Context<AppEnv>, act: () => Promise<string>): Promise<Response> {
  try {
    return c.redirect(await act(), 303);
  } catch (error) {
    if (!(error instanceof AppError) || !isOfPage(c)) throw error;
    return c.redirect(pageOf(c, { code: error.code, waitSeconds: error.details["retryAfterSeconds"] }), 303);
  }
}

function isForm(c: Context<AppEnv>): boolean {
  return FORM.test(c.req.header("content-type") ?? "");
}

/**
 * Whether the request is a browser's navigation to an address with a valid id, so that there is a page to redirect to.
 */
function isOfPage(c: Context<AppEnv>): boolean {
  return c.req.header("sec-fetch-mode") === "navigate" && downloadIdSchema.safeParse(c.req.param("downloadId")).success;
}

async function readForm(c: Context<AppEnv>): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await readText(c.req.raw, FORM_MAX_BYTES)));
}

/** The path of the link's page, with the recipient's token if the request has one. */
function pageOf(c: Context<AppEnv>, refused?: { code: string; waitSeconds: unknown }): string {
  const token = recipientTokenOf(c.req.raw);
  const query = new URLSearchParams(token === null ? {} : { for: token });
  if (refused) query.set("refused", refused.code);
  if (typeof refused?.waitSeconds === "number") query.set("wait", String(refused.waitSeconds));
  return `/download/${c.req.param("downloadId") ?? ""}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

/** The path of the bytes, with the lease for programs that keep no cookies. */
function bytesOf(downloadId: string, { entry, ...kept }: TakeQuery, lease: string | null): string {
  const path = entry === undefined ? "content" : `entries/${entry}/content`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kept, lease })) if (value) query.set(name, value);
  const search = query.size > 0 ? `?${query.toString()}` : "";
  return `/api/files/download/${downloadId}/${path}${search}`;
}
