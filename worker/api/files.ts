import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import {
  changeFileRequest,
  changeGuardsRequest,
  changeNotifyRequest,
  changeTransferRequest,
  entryInAddress,
  filesQuery,
  putManifestRequest,
  shareFileRequest,
  shareWithManyRequest,
  deletionInAddress,
} from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { findCaller, quotaHolderOf, type FileOwner } from "../callers/caller.ts";
import { changeGuards, readGuards } from "../files/change-guards.ts";
import { deleteByToken } from "../files/deletion.ts";
import { changeFile, deleteFile, listFiles, readDetails } from "../files/files.ts";
import { mailLinkWithinLimits } from "../notices/mail-link.ts";
import { changeNotify, mailAgain, readRecipients, stopMailing } from "../notices/recipients.ts";
import { removeOwnEntry } from "../transfers/remove-entry.ts";
import { putManifest } from "../uploads/manifest.ts";
import { anyObject, MANIFEST_BODY_MAX_BYTES, parse, readJson, requireUser } from "./input.ts";

export const fileRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    const query = parse(filesQuery, c.req.query());
    const page = await listFiles(c.get("context").services, user, query, Date.now());
    return Object.keys(query).length === 0 ? c.json(page.files) : c.json(page);
  })
  .get("/:id", async (c) => {
    const user = await requireUser(c);
    return c.json(await readDetails(c.get("context").services, user, c.req.param("id"), Date.now()));
  })
  .patch("/:id", async (c) => {
    const owner = await requireOwner(c);
    const body = await readJson(c, anyObject);
    if ("guards" in body) {
      requireAlone(body, "guards");
      const { guards } = parse(changeGuardsRequest, body);
      await c.get("context").enforceRateLimit("changeGuards", quotaHolderOf(owner) ?? undefined);
      return c.json(await changeGuards(c.get("context").services, owner, c.req.param("id"), guards, Date.now()));
    }
    const request = parse("message" in body ? changeTransferRequest : changeFileRequest, body);
    return c.json(await changeFile(c.get("context").services, owner, c.req.param("id"), request, Date.now()));
  })
  .put("/:id/manifest", async (c) => {
    const owner = await requireOwner(c);
    const manifest = await readJson(c, putManifestRequest, MANIFEST_BODY_MAX_BYTES);
    await c.get("context").enforceRateLimit("putManifest", quotaHolderOf(owner) ?? undefined);
    return c.json(await putManifest(c.get("context").services, owner, c.req.param("id"), manifest));
  })
  .get("/:id/guards", async (c) => {
    const owner = await requireOwner(c);
    return c.json(await readGuards(c.get("context").services, owner, c.req.param("id")));
  })
  .post("/:id/share", async (c) => {
    const user = await requireUser(c);
    const body = await readJson(c, anyObject);
    if ("email" in body && "emails" in body) requireAlone(body, "email");
    const { note, ...to } = "emails" in body ? parse(shareWithManyRequest, body) : parse(shareFileRequest, body);
    const emails = "emails" in to ? to.emails : [to.email];
    return c.json(await mailLinkWithinLimits(c.get("context"), user, c.req.param("id"), { emails, note }, Date.now()));
  })
  .get("/:id/recipients", async (c) => {
    const user = await requireUser(c);
    return c.json(await readRecipients(c.get("context").services, user, c.req.param("id")));
  })
  .post("/:id/recipients/:recipientId/again", async (c) => {
    const user = await requireUser(c);
    return c.json(await mailAgain(c.get("context"), user, c.req.param(), Date.now()));
  })
  .delete("/:id/recipients/:recipientId", async (c) => {
    const user = await requireUser(c);
    await stopMailing(c.get("context").services, user, c.req.param(), Date.now());
    return c.body(null, 204);
  })
  .patch("/:id/notify", async (c) => {
    const user = await requireUser(c);
    const { notify } = await readJson(c, changeNotifyRequest);
    await changeNotify(c.get("context").services, user, c.req.param("id"), notify);
    return c.json({ notify });
  })
  .delete("/:id/entries/:n", async (c) => {
    const owner = await requireOwner(c);
    const n = parse(entryInAddress, c.req.param("n"), "n");
    return c.json(await removeOwnEntry(c.get("context").services, owner, c.req.param("id"), n, Date.now()));
  })
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await deleteFile(c.get("context").services, user, c.req.param("id"), Date.now());
    return c.json({ message: "File deleted" });
  });

/** A person, or a visitor with an upload token. @throws AppError UNAUTHORIZED with `requiresAuth` */
async function requireOwner(c: Context<AppEnv>): Promise<FileOwner> {
  const owner = await findCaller(c.get("context"));
  // What a sender through a request has sent is its owner's.
  if (!owner || owner.kind === "sender") throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return owner;
}

/** Guards and words are kept in different places. @throws AppError BAD_REQUEST */
function requireAlone(body: Record<string, unknown>, field: string): void {
  if (Object.keys(body).length > 1) throw new AppError("BAD_REQUEST", { message: `Change ${field} by itself.`, field });
}

/** The address in `X-Url-Delete`. Its GET is a page with a button, so whoever only follows it deletes nothing. */
export const deletionRoutes = new Hono<AppEnv>()
  .delete("/:id/:token", async (c) => {
    await deleteNamed(c);
    return c.body(null, 204);
  })
  .post("/:id/:token", async (c) => {
    const downloadId = await deleteNamed(c);
    // The link's page says that it has been removed.
    return c.redirect(`/download/${downloadId}`, 303);
  });

function deleteNamed(c: Context<AppEnv>): Promise<string> {
  const { id, token } = parse(deletionInAddress, c.req.param());
  return deleteByToken(c.get("context").services, id, token, Date.now());
}
