import { Hono } from "hono";
import { cancelUploadRequest, completeUploadRequest, signPartsRequest, startUploadRequest } from "#domain/wire.ts";
import { cancelUpload, completeUpload, signParts, startUpload } from "../uploads/uploads.ts";
import type { ApiEnv } from "./env.ts";
import { readJson, requireUser } from "./input.ts";

/** `/api/direct-upload`: uploads that go straight to storage. */
export const directUploadRoutes = new Hono<ApiEnv>()
  .post("/presigned-url", async (c) => {
    const user = await requireUser(c);
    const request = await readJson(c, startUploadRequest);
    return c.json(await startUpload(c.get("context").services, user, request, Date.now()));
  })
  .post("/sign-parts", async (c) => {
    const user = await requireUser(c);
    const request = await readJson(c, signPartsRequest);
    return c.json(await signParts(c.get("context").services, user, request));
  })
  .post("/complete", async (c) => {
    const user = await requireUser(c);
    const request = await readJson(c, completeUploadRequest);
    return c.json(await completeUpload(c.get("context").services, user, request));
  })
  .post("/cancel", async (c) => {
    const user = await requireUser(c);
    const { downloadId } = await readJson(c, cancelUploadRequest);
    await cancelUpload(c.get("context").services, user, downloadId);
    return c.json({ message: "The upload was cancelled." });
  });
