import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import {
  archiveQuery,
  changeFileRequest,
  changeTransferRequest,
  entriesQuery,
  entryInAddress,
  filesQuery,
  reportRequest,
  shareFileRequest,
} from "#domain/wire.ts";
import { serveContent, servePreview } from "../downloads/download-content.ts";
import { getDownloadInfo } from "../downloads/download-info.ts";
import { listEntries, serveEntry, serveEntryPreview, type EntryAddress } from "../downloads/entries.ts";
import { reportFile } from "../downloads/report.ts";
import { changeFile, deleteFile, listFiles, shareFile } from "../files/files.ts";
import { removeOwnEntry } from "../transfers/remove-entry.ts";
import type { FileOwner } from "../uploads/uploader.ts";
import type { AppEnv } from "../app-env.ts";
import { anyObject, parse, readJson, requireUser } from "./input.ts";
import { findUploader, uploadTokenOf } from "./uploader.ts";

export const fileRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    const query = parse(filesQuery, c.req.query());
    const page = await listFiles(c.get("context").services, user, query, Date.now());
    return Object.keys(query).length === 0 ? c.json(page.files) : c.json(page);
  })
  .get("/download/:downloadId", async (c) => {
    c.header("referrer-policy", "no-referrer");
    return c.json(await getDownloadInfo(c.get("context"), c.req.param("downloadId"), Date.now()));
  })
  .post("/download/:downloadId/report", async (c) => {
    const report = await readJson(c, reportRequest);
    await reportFile(c.get("context"), c.req.param("downloadId"), report, Date.now());
    return c.json({ message: "Thank you. We look at every report." }, 201);
  })
  .get("/download/:downloadId/content", (c) => {
    const query = parse(archiveQuery, c.req.query());
    return serveContent(c.get("context"), c.req.param("downloadId"), Date.now(), query);
  })
  .get("/download/:downloadId/preview", (c) => servePreview(c.get("context"), c.req.param("downloadId"), Date.now()))
  .get("/download/:downloadId/entries", async (c) => {
    c.header("referrer-policy", "no-referrer");
    const { from } = parse(entriesQuery, c.req.query());
    const findViewer = () => findUploader(c.get("context"), uploadTokenOf(c));
    return c.json(
      await listEntries(c.get("context"), findViewer, { downloadId: c.req.param("downloadId"), from }, Date.now()),
    );
  })
  .get("/download/:downloadId/entries/:n/content", (c) =>
    serveEntry(c.get("context"), entryAddress(c.req.param()), Date.now()),
  )
  .get("/download/:downloadId/entries/:n/preview", (c) =>
    serveEntryPreview(c.get("context"), entryAddress(c.req.param()), Date.now()),
  )
  .patch("/:id", async (c) => {
    const owner = await requireOwner(c);
    const body = await readJson(c, anyObject);
    const request = parse("message" in body ? changeTransferRequest : changeFileRequest, body);
    return c.json(await changeFile(c.get("context").services, owner, c.req.param("id"), request, Date.now()));
  })
  .post("/:id/share", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const request = await readJson(c, shareFileRequest);
    await enforceRateLimit("shareByMail", user.id);
    await shareFile(services, user, c.req.param("id"), request, Date.now());
    return c.json({ message: `The link is on its way to ${request.email}.` });
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
  const owner = await findUploader(c.get("context"), uploadTokenOf(c));
  if (!owner) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return owner;
}

function entryAddress({ downloadId, n }: { downloadId: string; n: string }): EntryAddress {
  return { downloadId, n: parse(entryInAddress, n, "n") };
}
