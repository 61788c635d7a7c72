import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { HEADER_NAMES } from "../header-names.ts";
import {
  METADATA_MAX_CHARACTERS,
  TRANSFER_LABEL_MAX_CHARACTERS,
  TUS_CONTENT_TYPE,
  TUS_MISMATCH_STATUS,
} from "../tus.ts";
import type { V1Call } from "./call.ts";
import { EXAMPLE_UPLOAD, described, fileId } from "./fields.ts";

const address = z.object({
  id: fileId,
  secret: described(
    z.string().check(z.regex(/^[\w-]{22}$/, messageName("notDownloadId"))),
    "Opens the upload as long as its key lives: the address needs no key. One into an upload request needs the request's token as `Authorization: Bearer`.",
  ),
});

const header = (description: string) => described(z.string(), description);
const VERSION = { "Tus-Resumable": header("Always `1.0.0`.") };
const CHECKSUM = header(
  "Optional: `sha1`, `sha256` or `md5`, a space, and the digest of this body in Base64. Other bytes are dropped.",
);
const PARAMS = { id: EXAMPLE_UPLOAD.id, secret: "q3Zc8vV1sTn0bKx5Lr2YwA" };
/** The header that every call has to send. */
const SPOKEN = { "Tus-Resumable": "1.0.0" };
const TUS = { tag: "tus", limit: null } as const;
/** The errors of calls with the token of an upload request. */
const OF_REQUESTS = ["CROSS_SITE", "REQUEST_FULL"] as const;

/** tus 1.0.0 (https://tus.io/protocols/resumable-upload), which uses headers instead of JSON. */
export const TUS_CALLS = {
  describeTus: {
    ...TUS,
    method: "OPTIONS",
    path: "/tus",
    summary: "Read what of tus is spoken here",
    description: "Answers `Tus-Version`, `Tus-Extension`, `Tus-Checksum-Algorithm` and `Tus-Max-Size`.",
    scope: null,
    status: 204,
    errors: [],
    example: {},
  },
  createTusUpload: {
    ...TUS,
    method: "POST",
    path: "/tus",
    summary: "Start an upload with tus",
    description: `\`Location\` is where its bytes go, \`${HEADER_NAMES.link}\` is what recipients open. The first bytes may come with it, as \`${TUS_CONTENT_TYPE}\`; \`Upload-Offset\` says how many were stored. With the token of an upload request in place of the key (\`Authorization: Bearer\` and the last part of the request's link) the file goes to the request's owner, within the request's bounds. Then there is no \`${HEADER_NAMES.link}\`, the later calls need the token too, and a page may call if its site is in the request's list.`,
    scope: "upload",
    takesRequest: true,
    limit: "startByKey",
    sends: "tus",
    headers: z.object({
      ...VERSION,
      "Upload-Length": header("The size of the file in bytes."),
      "Upload-Defer-Length": header(
        "Optional: `1` in place of `Upload-Length`. A later request says the size, the last one at the latest.",
      ),
      "Upload-Metadata": header(
        `Pairs of a key and a value in Base64, separated by commas, at most ${METADATA_MAX_CHARACTERS} characters: \`filename\` or \`name\`, \`filetype\` or \`type\`, \`expires\` or \`expiresAt\`, \`password\`, \`downloads\`, \`notify\`, \`transfer\`. Others are ignored. Uploads of a key with the same \`transfer\`, a text of at most ${TRANSFER_LABEL_MAX_CHARACTERS} characters, count as one unfinished upload; each has a link of its own. Into an upload request: \`filename\` or \`name\`, \`filetype\` or \`type\`, \`senderName\`, \`senderEmail\`, \`note\`, and \`password\` where the request has one.`,
      ),
      "Upload-Checksum": CHECKSUM,
    }),
    status: 201,
    errors: [
      "TUS_VERSION_UNKNOWN",
      "BAD_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "BODY_TOO_LARGE",
      "REQUEST_TOO_LARGE",
      "PLAN_LIMIT_EXCEEDED",
      "KEY_LIMIT",
      "FILE_TOO_LARGE",
      ...OF_REQUESTS,
      "LINK_LOCKED",
      "LINK_PASSWORD_WRONG",
      "REQUEST_NOT_FOUND",
      "REQUEST_CLOSED",
      "KIND_REFUSED",
      "CONTENT_BLOCKED",
      "STORAGE_UNAVAILABLE",
    ],
    example: {
      headers: { ...SPOKEN, "Upload-Length": "5", "Upload-Metadata": "filename cmVwb3J0LnBkZg==,expires MWQ=" },
    },
  },
  readTusUpload: {
    ...TUS,
    method: "HEAD",
    path: "/tus/{id}/{secret}",
    summary: "Ask where the next byte belongs",
    description:
      "Answers `Upload-Offset`, `Upload-Length` (or `Upload-Defer-Length: 1`), `Upload-Metadata` (name and type) and `Upload-Expires`, and stops a request that is still sending to this upload.",
    scope: null,
    takesRequest: true,
    headers: z.object(VERSION),
    params: address,
    status: 200,
    errors: ["TUS_VERSION_UNKNOWN", "FILE_NOT_FOUND", "KEY_INVALID", "CROSS_SITE", "UPLOAD_GONE"],
    example: { params: PARAMS, headers: SPOKEN },
  },
  appendTusUpload: {
    ...TUS,
    method: "PATCH",
    path: "/tus/{id}/{secret}",
    summary: "Send the next bytes",
    description: `A request may end or break anywhere. The one that brings the last byte also completes the upload, and answers \`${HEADER_NAMES.link}\`. A request to an upload without a size needs \`Content-Length\`; where plan, month, key or upload request have no room for it, the upload ends.`,
    scope: null,
    takesRequest: true,
    headers: z.object({
      ...VERSION,
      "Upload-Offset": header("Where the first byte of this body belongs."),
      "Upload-Length": header(
        "The size of the file in bytes, only for an upload that was started with `Upload-Defer-Length`.",
      ),
      "Upload-Checksum": CHECKSUM,
    }),
    params: address,
    sends: "tus",
    status: 204,
    errors: [
      "TUS_VERSION_UNKNOWN",
      "BAD_REQUEST",
      "UNSUPPORTED_MEDIA_TYPE",
      "LENGTH_REQUIRED",
      "FILE_NOT_FOUND",
      "KEY_INVALID",
      "OFFSET_CONFLICT",
      "UPLOAD_GONE",
      "REQUEST_TOO_LARGE",
      "BODY_TOO_LARGE",
      "CHECKSUM_MISMATCH",
      "PLAN_LIMIT_EXCEEDED",
      "KEY_LIMIT",
      "FILE_TOO_LARGE",
      ...OF_REQUESTS,
      "OBJECT_MISMATCH",
      "CONTENT_BLOCKED",
      "KIND_REFUSED",
      "STORAGE_UNAVAILABLE",
    ],
    statuses: { CHECKSUM_MISMATCH: TUS_MISMATCH_STATUS },
    example: { params: PARAMS, headers: { ...SPOKEN, "Upload-Offset": "0", "Content-Type": TUS_CONTENT_TYPE } },
  },
  endTusUpload: {
    ...TUS,
    method: "DELETE",
    path: "/tus/{id}/{secret}",
    summary: "Cancel an upload",
    scope: null,
    takesRequest: true,
    headers: z.object(VERSION),
    params: address,
    status: 204,
    errors: ["TUS_VERSION_UNKNOWN", "FILE_NOT_FOUND", "KEY_INVALID", "CROSS_SITE", "UPLOAD_FINISHED", "UPLOAD_GONE"],
    example: { params: PARAMS, headers: SPOKEN },
  },
} as const satisfies Record<string, V1Call>;
