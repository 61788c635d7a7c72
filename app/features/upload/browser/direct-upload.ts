import { senderLive } from "#app/lib/live.ts";
import { DirectUpload } from "#engine/direct-upload.ts";
import type { UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { browserPorts } from "./browser-ports.ts";
import { connectToStorage } from "./connect-ahead.ts";
import { put } from "./put.ts";

/** An upload straight to storage, with all its fallbacks. */
export function directUpload(file: File, options: UploadOptions, events: UploadEvents): DirectUpload {
  connectToStorage();
  return new DirectUpload({ ...browserPorts, put, live: senderLive }, file, options, events);
}
