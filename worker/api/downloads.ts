import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import {
  archiveQuery,
  downloadId as downloadIdSchema,
  entriesQuery,
  entryInAddress,
  openedRequest,
  reportRequest,
  takeQuery,
  unlockRequest,
  type TakeQuery,
  type UnlockRequest,
} from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { noteOpened, takeDownload } from "../downloads/counted-downloads.ts";
import { serveContent, servePreview } from "../downloads/download-content.ts";
import { getDownloadInfo } from "../downloads/download-info.ts";
import { listEntries, serveEntry, serveEntryPreview, type EntryAddress } from "../downloads/entries.ts";
import { reportFile } from "../downloads/report.ts";
import { unlockLink } from "../downloads/unlock-link.ts";
import { recipientTokenOf } from "../links/open-link.ts";
import { parse, readJson, readText } from "./input.ts";
import { followUpload } from "./socket.ts";

const FORM = /^application\/x-www-form-urlencoded\b/i;
const FORM_MAX_BYTES = 4096;

/** What a link leads to, for whoever has it. */
export const downloadRoutes = new Hono<AppEnv>()
  .get("/:downloadId", async (c) => {
    c.header("referrer-policy", "no-referrer");
    return c.json(await getDownloadInfo(c.get("context"), c.req.param("downloadId"), Date.now()));
  })
  .get("/:downloadId/live", (c) => followUpload(c, c.req.param("downloadId")))
  .post("/:downloadId/unlock", async (c) => {
    const downloadId = c.req.param("downloadId");
    const unlock = (request: UnlockRequest) => unlockLink(c.get("context"), downloadId, request, Date.now());
    if (!isForm(c)) return c.json(await unlock(await readJson(c, unlockRequest)));
    return answerForm(c, async () => {
      await unlock(parse(unlockRequest, await readForm(c)));
      return pageOf(c);
    });
  })
  .post("/:downloadId/take", async (c) => {
    const downloadId = c.req.param("downloadId");
    const query = parse(takeQuery, c.req.query());
    if (!isForm(c)) return c.json(await takeDownload(c.get("context"), downloadId, Date.now()), 201);
    return answerForm(c, async () => {
      const { lease } = await takeDownload(c.get("context"), downloadId, Date.now());
      return bytesOf(downloadId, query, lease);
    });
  })
  .post("/:downloadId/opened", async (c) => {
    const request = await readJson(c, openedRequest);
    await noteOpened(c.get("context"), c.req.param("downloadId"), request, Date.now());
    return c.body(null, 204);
  })
  .post("/:downloadId/report", async (c) => {
    const report = await readJson(c, reportRequest);
    await reportFile(c.get("context"), c.req.param("downloadId"), report, Date.now());
    return c.json({ message: "Thank you. We look at every report." }, 201);
  })
  .get("/:downloadId/content", (c) =>
    answerBytes(c, () => {
      const query = parse(archiveQuery, c.req.query());
      return serveContent(c.get("context"), c.req.param("downloadId"), Date.now(), query);
    }),
  )
  .get("/:downloadId/preview", (c) =>
    answerBytes(c, () => servePreview(c.get("context"), c.req.param("downloadId"), Date.now())),
  )
  .get("/:downloadId/entries", async (c) => {
    c.header("referrer-policy", "no-referrer");
    const { from } = parse(entriesQuery, c.req.query());
    return c.json(await listEntries(c.get("context"), { downloadId: c.req.param("downloadId"), from }, Date.now()));
  })
  .get("/:downloadId/entries/:n/content", (c) =>
    answerBytes(c, () => serveEntry(c.get("context"), entryAddress(c.req.param()), Date.now())),
  )
  .get("/:downloadId/entries/:n/preview", (c) =>
    answerBytes(c, () => serveEntryPreview(c.get("context"), entryAddress(c.req.param()), Date.now())),
  );

function entryAddress({ downloadId, n }: { downloadId: string; n: string }): EntryAddress {
  return { downloadId, n: parse(entryInAddress, n, "n") };
}

/** Somebody who opens the address of a guarded link's bytes in a browser gets to its page. */
async function answerBytes(c: Context<AppEnv>, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const isGuard = error instanceof AppError && (error.code === "LINK_LOCKED" || error.code === "LEASE_NEEDED");
    if (!isGuard || !isOfPage(c)) throw error;
    return c.redirect(pageOf(c), 303);
  }
}

/** A form of the page without scripts: what is refused is told by the page. @param act gives where to go on */
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

/** Whether somebody waits for a page, and the address has one: what is no id has none. */
function isOfPage(c: Context<AppEnv>): boolean {
  return c.req.header("sec-fetch-mode") === "navigate" && downloadIdSchema.safeParse(c.req.param("downloadId")).success;
}

async function readForm(c: Context<AppEnv>): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await readText(c.req.raw, FORM_MAX_BYTES)));
}

/** Keeps a recipient's token. */
function pageOf(c: Context<AppEnv>, refused?: { code: string; waitSeconds: unknown }): string {
  const token = recipientTokenOf(c.req.raw);
  const query = new URLSearchParams(token === null ? {} : { for: token });
  if (refused) query.set("refused", refused.code);
  if (typeof refused?.waitSeconds === "number") query.set("wait", String(refused.waitSeconds));
  return `/download/${c.req.param("downloadId") ?? ""}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

/** Carries the lease, for programs that keep no cookies. */
function bytesOf(downloadId: string, { entry, ...kept }: TakeQuery, lease: string | null): string {
  const path = entry === undefined ? "content" : `entries/${entry}/content`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...kept, lease })) if (value) query.set(name, value);
  const search = query.size > 0 ? `?${query.toString()}` : "";
  return `/api/files/download/${downloadId}/${path}${search}`;
}
