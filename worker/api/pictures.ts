import type { PICTURE_CALLS } from "#domain/calls/uploads.ts";
import { AppError } from "#domain/errors.ts";
import { storePictures } from "../uploads/pictures.ts";
import { contentLength } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const pictureHandlers: Handlers<typeof PICTURE_CALLS> = {
  "POST /api/pictures/:downloadId": ({ c, services, caller, params, now }) => {
    const body = { length: contentLength(c), read: () => readForm(c.req.raw) };
    return storePictures(services, caller, params.downloadId, body, now);
  },
};

async function readForm(request: Request): Promise<FormData> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message: "Send pictures as multipart/form-data." });
  }
  try {
    return await request.formData();
  } catch {
    throw new AppError("BAD_REQUEST", { message: "The body is not a form." });
  }
}
