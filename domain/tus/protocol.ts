import { LARGEST_FILE_BYTES } from "../plans.ts";
import { MIB } from "../units.ts";

/** The version of tus (https://tus.io/protocols/resumable-upload) that `/api/v1/tus` speaks. */
export const TUS_VERSION = "1.0.0";

/** Of the body of a PATCH, and of a creation with upload. */
export const TUS_CONTENT_TYPE = "application/offset+octet-stream";

/** Whole pieces of this size are stored while a request is running. */
export const TUS_CHUNK_BYTES = MIB;

/** What examples and errors advise clients to send in one request: it is the most that a broken one may lose. */
export const TUS_REQUEST_BYTES = 16 * MIB;

/** What is reserved for an upload without a size grows by this much. */
export const ROOM_STEP_BYTES = 256 * MIB;

/** What OPTIONS answers. */
export const TUS_ABILITIES = {
  "tus-version": TUS_VERSION,
  "tus-extension": "creation,creation-defer-length,creation-with-upload,termination,checksum,expiration",
  "tus-checksum-algorithm": "sha1,sha256,md5",
  "tus-max-size": String(LARGEST_FILE_BYTES),
} as const;

/** Of `CHECKSUM_MISMATCH` (extension "checksum" of the protocol). Other calls answer it as 422. */
export const TUS_MISMATCH_STATUS = 460;
