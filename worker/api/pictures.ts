import type { PICTURE_CALLS } from "#domain/calls/uploads.ts";
import { AppError } from "#domain/errors.ts";
import { PICTURE_FORM_MAX_BYTES } from "#domain/pictures/limits.ts";
import { REQUEST_WAIT_MS, withMemory } from "../memory.ts";
import { storePictures } from "../uploads/pictures.ts";
import { contentLength } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const pictureHandlers: Handlers<typeof PICTURE_CALLS> = {
  "POST /api/pictures/:downloadId": async ({ c, services, caller: lookup, params, now }) => {
    const caller = await lookup;
    const length = contentLength(c);
    if (length === null) throw new AppError("LENGTH_REQUIRED");
    if (length > PICTURE_FORM_MAX_BYTES) throw new AppError("BODY_TOO_LARGE");
    // The form and the object that is made of it are held as a whole.
    return withMemory(2 * length, REQUEST_WAIT_MS, async () =>
      storePictures(services, caller, params.downloadId, await readForm(c.req.raw), now),
    );
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
