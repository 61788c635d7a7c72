import * as z from "zod/mini";
import { EXPIRATIONS } from "../expiry.ts";
import { HEADER_NAMES } from "../header-names.ts";
import { DOWNLOAD_NOTICES } from "../notices/when-mailed.ts";
import { MAX_REQUEST_BYTES, requestSize } from "../parts.ts";
import { exactEnd, filename } from "../wire/uploads.ts";
import type { V1Call } from "./call.ts";
import { EXAMPLE_UPLOAD, bytes, count, described } from "./fields.ts";
import { completedUpload, EXACT_END, NOTIFY } from "./uploads.ts";

/** The headers as they are sent; `sendChoices` parses them. */
const headers = z.object({
  [HEADER_NAMES.expires]: z.optional(described(z.enum(EXPIRATIONS), "How long the link works.")),
  [HEADER_NAMES.expiresAt]: z.optional(described(exactEnd, EXACT_END)),
  [HEADER_NAMES.password]: z.optional(z.string()),
  [HEADER_NAMES.downloads]: z.optional(described(count, "How many downloads the link allows.")),
  [HEADER_NAMES.name]: z.optional(
    described(z.string(), "Instead of the file's own name; of several files, the title."),
  ),
  [HEADER_NAMES.to]: z.optional(
    described(z.string(), "An address to mail the link to. The key needs `files:write`, too."),
  ),
  [HEADER_NAMES.notify]: z.optional(described(z.enum(DOWNLOAD_NOTICES), NOTIFY)),
  "Max-Days": z.optional(described(count, "The longest expiry that is no longer.")),
  "Max-Downloads": z.optional(described(count, `As \`${HEADER_NAMES.downloads}\`.`)),
});

const sent = z.object({
  ...completedUpload.shape,
  zipSize: z.optional(described(bytes, "Only of several files.")),
  entries: z.optional(described(count, "Only of several files.")),
});

const CHOICES = `Each choice may be in the query instead, such as \`?expires=1d\` or \`?expiresAt=2026-12-04T17:00:00Z\`. \`Location\` is the link, and \`X-Url-Delete\` an address that deletes it: by DELETE at once, in a browser after a click. At most ${requestSize(MAX_REQUEST_BYTES)}, unless the site says otherwise.`;
const TEXT = "The link and a line break. `Accept: application/json` gets JSON.";

const ANSWER = {
  ...EXAMPLE_UPLOAD,
  downloadUrl: `https://files.example/api/files/download/${EXAMPLE_UPLOAD.downloadId}/content`,
  name: "report.pdf",
  size: 5,
};

const ERRORS = [
  "BAD_REQUEST",
  "CROSS_SITE",
  "PLAN_LIMIT_EXCEEDED",
  "KEY_LIMIT",
  "FILE_TOO_LARGE",
  "BODY_TOO_LARGE",
  "CONTENT_BLOCKED",
  "KIND_REFUSED",
  "OVERLOADED",
  "STORAGE_UNAVAILABLE",
] as const;

/** Calls that send everything in one request, as curl and ShareX do. `worker/api/sending.ts` answers these calls. */
export const SEND_CALLS = {
  putFile: {
    method: "PUT",
    path: "/{name}",
    isTop: true,
    tag: "curl",
    summary: "Send a file: curl -T report.pdf -u :KEY https://HOST/",
    description: `curl adds the name. ${CHOICES}`,
    scope: "upload",
    limit: "startByKey",
    params: z.object({ name: filename }),
    headers,
    sends: "bytes",
    status: 201,
    text: TEXT,
    answer: sent,
    errors: ERRORS,
    example: { params: { name: "report.pdf" }, answer: ANSWER },
  },
  postForm: {
    method: "POST",
    path: "/",
    isTop: true,
    tag: "curl",
    summary: "Send files in a form: curl -F a=@report.pdf -F b=@notes.txt -u :KEY https://HOST/",
    description: `Several files, at most 24, become one link. Choices may be fields of the form, too. ${CHOICES}`,
    scope: "upload",
    limit: "startByKey",
    headers,
    sends: "form",
    status: 201,
    text: TEXT,
    answer: sent,
    errors: [...ERRORS, "UNSUPPORTED_MEDIA_TYPE", "PATH_REFUSED", "ENTRY_CONFLICT"],
    example: { answer: { ...ANSWER, name: "report.pdf.zip", size: 12, zipSize: 260, entries: 2 } },
  },
} as const satisfies Record<string, V1Call>;
