import type { PICTURE_CALLS } from "#domain/calls/uploads.ts";
import { AppError } from "#domain/errors.ts";
import type { Handlers } from "./mount.ts";

export const pictureHandlers: Handlers<typeof PICTURE_CALLS> = {
  "POST /api/pictures/:downloadId": () => {
    throw new AppError("NOT_FOUND");
  },
};
