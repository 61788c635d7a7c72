import { env, exports } from "cloudflare:workers";
import type { CHUNKED_CALLS, TRANSFER_CALLS, UPLOAD_CALLS } from "#domain/calls/uploads.ts";
import type { SEND_CALLS } from "#domain/v1/send.ts";
import type { TRANSFER_CALLS as V1_TRANSFER_CALLS } from "#domain/v1/transfers.ts";
import type { TUS_CALLS } from "#domain/v1/tus.ts";
import type { UPLOAD_CALLS as V1_UPLOAD_CALLS } from "#domain/v1/uploads.ts";
import type { StartTransferAnswer } from "#domain/wire.ts";
import { finalize, init, putAll } from "./chunked.ts";
import { createRequest, Sender } from "./requests.ts";
import { startTransfer, finish, MODIFIED_MS, putObject, totalsOf, announcementOf, textFile } from "./transfers.ts";
import { BYTES, create, SPOKEN, tusOf } from "./tus.ts";
import { TusSender } from "./tus-requests.ts";
import { makeKey, Program, type StartedUpload } from "./v1.ts";
import { Client, putIncoming, sendParts, signUp } from "./worker.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Somebody who uploads, in a browser and by a program. */
export interface Uploader {
  person: Client & { id: string; email: string };
  program: Program;
  send: SendRequest;
}

type SendRequest = (request: Request) => Response | Promise<Response>;

/** @param send what answers the requests; by default the Worker with the default settings */
export async function newUploader(send: SendRequest = (request) => exports.default.fetch(request)): Promise<Uploader> {
  const { id, email, cookie } = await signUp();
  const person = Object.assign(new Client(cookie, send), { id, email });
  const { key } = await makeKey(person);
  return { person, program: new Program(key, send), send };
}

/** Sends a file of at most 16 MiB. Resolves to the answer of the call that ends the upload, whatever it is. */
type Send = (uploader: Uploader, bytes: Bytes, name: string) => Promise<Response>;

const entryOf = (bytes: Bytes, name: string) => ({ path: name, bytes, modifiedMs: MODIFIED_MS });
const other = () => textFile("beside it.txt", `beside it ${crypto.randomUUID()}`);

async function sendByPack(person: Client, started: StartTransferAnswer, bytes: Bytes[]): Promise<Response> {
  const joined = new Uint8Array(bytes.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const some of bytes) {
    joined.set(some, offset);
    offset += some.byteLength;
  }
  return finish(person, started.downloadId, await putObject(started, 0, joined));
}

function formOf(files: [name: string, bytes: Bytes][]): FormData {
  const form = new FormData();
  for (const [name, bytes] of files) form.append("file", new File([bytes], name, { type: "text/plain" }));
  return form;
}

/** Every way in which a file comes to a link, by name. The command line sends by the calls of `/api/v1`. */
export const WAYS_TO_UPLOAD = {
  "a browser": async ({ person }, bytes, name) => {
    const { uploadId, downloadId } = await person.startUpload(bytes.byteLength, { filename: name });
    await putIncoming(uploadId, bytes);
    return person.complete(downloadId);
  },
  "a browser's form": ({ person }, bytes, name) => {
    const form = new FormData();
    form.append("expiration", "1d");
    form.append("file", new File([bytes], name, { type: "text/plain" }));
    return person.postForm("/api/direct-upload/proxy-upload", form);
  },
  "a browser in chunks": async ({ person }, bytes, name) => {
    const upload = await init(person, bytes.byteLength, { filename: name });
    await putAll(person, upload, bytes);
    return finalize(person, upload.uploadId);
  },
  "a browser's transfer": async ({ person }, bytes, name) => {
    const files = [other(), entryOf(bytes, name)];
    const started = await startTransfer(person, files, { open: [{ object: 0, runs: [[0, 2]] }] });
    return sendByPack(
      person,
      started,
      files.map((file) => file.bytes),
    );
  },
  "a request": async ({ person, send }, bytes, name) => {
    const sender = new Sender(await createRequest(person), send);
    const files = [entryOf(bytes, name)];
    const started = await sender.begin(files, { open: [{ object: 0, runs: [[0, 1]] }] });
    return finish(sender, started.downloadId, await putObject(started, 0, bytes));
  },
  "tus into a request": async ({ person, send }, bytes, name) => {
    const sender = new TusSender(await createRequest(person), null, new Client("", send));
    const tus = await sender.begin({ size: bytes.byteLength, said: { filename: name } });
    return sender.send(tus, 0, bytes);
  },
  "curl -T": ({ program }, bytes, name) =>
    topCall(program, `/${encodeURIComponent(name)}`, { method: "PUT", body: bytes }),
  "curl -F with one file": ({ program }, bytes, name) => postForm(program, formOf([[name, bytes]])),
  "curl -F with two files": ({ program }, bytes, name) =>
    postForm(
      program,
      formOf([
        ["beside it.txt", other().bytes],
        [name, bytes],
      ]),
    ),
  tus: async ({ program, send }, bytes, name) => {
    const told = { "upload-metadata": `filename ${btoa(name)}` };
    const { path } = await tusOf(create(program, bytes.byteLength, told));
    const headers = { ...SPOKEN, ...BYTES, "upload-offset": "0" };
    return new Client("", send).fetch(path, { method: "PATCH", headers, body: bytes });
  },
  "tus in one call": ({ program }, bytes, name) =>
    create(
      program,
      bytes.byteLength,
      { "upload-metadata": `filename ${btoa(name)}`, "content-type": "application/offset+octet-stream" },
      bytes,
    ),
  v1: async ({ program }, bytes, name) => {
    const { id } = await program.answer<StartedUpload>("/uploads", "POST", { name, size: bytes.byteLength });
    await putIncoming(id, bytes);
    return program.post(`/uploads/${id}/complete`, {});
  },
  "v1 with a transfer": async ({ program }, bytes, name) => {
    const files = [entryOf(bytes, name)];
    const entries = { from: 0, list: files.map(announcementOf) };
    const body = { totals: totalsOf(files), entries, open: [{ object: 0, runs: [[0, 1]] }] };
    const started = await program.answer<StartTransferAnswer & { id: string }>("/transfers", "POST", body);
    return program.post(`/transfers/${started.id}/complete`, { receipts: await putObject(started, 0, bytes) });
  },
} as const satisfies Record<string, Send>;

export type WayToUpload = keyof typeof WAYS_TO_UPLOAD;

/** Each way with its function, for `it.each`. */
export const EACH_WAY = Object.entries(WAYS_TO_UPLOAD) as [WayToUpload, Send][];

async function postForm(program: Program, form: FormData): Promise<Response> {
  const encoded = new Response(form);
  const body = await encoded.arrayBuffer();
  const type = encoded.headers.get("content-type") ?? "";
  const headers = { "content-type": type, "content-length": String(body.byteLength) };
  return topCall(program, "/", { method: "POST", body, headers });
}

/** A call at the top of the site, with the program's key. */
function topCall(program: Program, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("accept", "application/json");
  return program.atTop(path, { ...init, headers });
}

/** A file above 16 MiB from a browser, in parts; from 64 MiB on in segments. @param told the sum that it tells */
export async function sendInParts(person: Client, bytes: Bytes, told: string | null): Promise<Response> {
  const { uploadId, downloadId } = await person.startUpload(bytes.byteLength);
  const receipts = await sendParts(uploadId, bytes);
  return person.post("/api/direct-upload/complete", { downloadId, receipts, ...(told !== null && { sha256: told }) });
}

type Calls =
  | keyof typeof UPLOAD_CALLS
  | keyof typeof CHUNKED_CALLS
  | keyof typeof TRANSFER_CALLS
  | keyof typeof SEND_CALLS
  | `v1 ${keyof typeof V1_UPLOAD_CALLS | keyof typeof V1_TRANSFER_CALLS}`
  | keyof typeof TUS_CALLS;

/**
 * The ways that end an upload by each call that has to do with uploads; none for a call that ends no upload. A call
 * that is missing here does not compile.
 */
export const ENDED_BY: Record<Calls, readonly WayToUpload[]> = {
  "POST /api/direct-upload/presigned-url": [],
  "POST /api/direct-upload/sign-parts": [],
  "PUT /api/direct-upload/parts/:downloadId/:part": [],
  "POST /api/direct-upload/complete": ["a browser"],
  "POST /api/direct-upload/cancel": [],
  "POST /api/direct-upload/failed": [],
  "GET /api/direct-upload/unfinished": [],
  "POST /api/direct-upload/proxy-upload": ["a browser's form"],
  "POST /api/chunked-upload/init": [],
  "POST /api/chunked-upload/chunk": [],
  "POST /api/chunked-upload/finalize": ["a browser in chunks"],
  "POST /api/transfers": [],
  "POST /api/transfers/:downloadId/batch": [],
  "PUT /api/transfers/:downloadId/objects/:object/:part": [],
  "POST /api/transfers/:downloadId/finish": ["a browser's transfer", "a request"],
  putFile: ["curl -T"],
  postForm: ["curl -F with one file", "curl -F with two files"],
  "v1 startUpload": [],
  "v1 signParts": [],
  "v1 sendPart": [],
  "v1 completeUpload": ["v1"],
  "v1 readUpload": [],
  "v1 cancelUpload": [],
  "v1 putManifest": [],
  "v1 followUpload": [],
  "v1 startTransfer": [],
  "v1 addFiles": [],
  "v1 listTransferFiles": [],
  "v1 sendObjectPart": [],
  "v1 completeTransfer": ["v1 with a transfer"],
  describeTus: [],
  createTusUpload: ["tus in one call"],
  readTusUpload: [],
  appendTusUpload: ["tus", "tus into a request"],
  endTusUpload: [],
};

/** The newest link of an account, as its row. */
export async function newestFile<Row>(uploader: Uploader, columns: string): Promise<Row> {
  const row = await env.DB.prepare(
    `select ${columns} from files where user_id = ? order by created_at desc, rowid desc`,
  )
    .bind(uploader.person.id)
    .first<Row>();
  if (!row) throw new Error("the account has no upload");
  return row;
}
