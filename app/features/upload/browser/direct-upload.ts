import { DirectUpload } from "#engine/direct-upload.ts";
import type { UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { connectToStorage } from "./connect-ahead.ts";
import { transferPorts } from "./transfer-ports.ts";

/** An upload straight to storage, with all its fallbacks. */
export function directUpload(file: File, options: UploadOptions, events: UploadEvents): DirectUpload {
  connectToStorage();
  return new DirectUpload(transferPorts, file, options, events);
}
