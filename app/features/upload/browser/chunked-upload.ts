import { ChunkedUpload } from "#engine/chunked-upload.ts";
import type { UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { browserPorts } from "./browser-ports.ts";
import { postChunk } from "./post-chunk.ts";

/** An upload in chunks, through our server. */
export function chunkedUpload(file: File, options: UploadOptions, events: UploadEvents): ChunkedUpload {
  return new ChunkedUpload({ ...browserPorts, postChunk }, file, options, events);
}
