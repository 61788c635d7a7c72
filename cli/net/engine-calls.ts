import type { CallAnswer } from "#domain/v1/calls.ts";
import type { ListedEntry, OpenedSeal, StartTransferAnswer, StartUploadAnswer } from "#domain/wire.ts";
import type { Calls } from "#engine/calls.ts";
import { parseObject } from "#engine/api-error.ts";
import { EXIT, Failure } from "../failure.ts";
import type { Fetch } from "./fetch.ts";
import { refusalOf, type V1 } from "./v1.ts";

export interface ProgramCalls extends Calls {
  /** The id of an upload that was started here. */
  idOf(downloadId: string): string;
}

interface Choice {
  /** The server keeps the unfinished uploads of keys apart. */
  keyId: string;
  /** No start goes on with an unfinished upload. */
  fresh: boolean;
}

/** What the engine asks for, over `/api/v1`. Pages know an upload by its link, v1 knows it by its id. */
export function callsOver(v1: V1, fetch: Fetch, { keyId, fresh }: Choice): ProgramCalls {
  const ids = new Map<string, string>();
  const startKeys = new WeakMap<object, string>();
  const idOf = (downloadId: string) => ids.get(downloadId) ?? "";
  const paramsOf = (downloadId: string) => ({ id: idOf(downloadId) });
  /** A start that is tried again has the same key, so that it does not start twice. */
  const startKeyOf = (body: object) => {
    const key = startKeys.get(body) ?? crypto.randomUUID();
    startKeys.set(body, key);
    return key;
  };
  const unknown = fresh ? { fingerprint: null } : {};
  return {
    idOf,
    me: () => Promise.resolve({ id: keyId }),
    startUpload: async (body) => {
      const { filename: name, fileType: type, fileSize: size, expiration, expirationChosen, ...rest } = body;
      const expires = expirationChosen ? expiration : undefined;
      const startKey = startKeyOf(body);
      const answer = await v1.call("startUpload", {
        body: { ...rest, ...unknown, name, type, size, expires },
        startKey,
      });
      ids.set(answer.downloadId, answer.id);
      return uploadOf(answer);
    },
    signParts: ({ downloadId, ...body }, signal) =>
      v1.call("signParts", { params: paramsOf(downloadId), body, signal }),
    completeUpload: async ({ downloadId, summary: _summary, ...body }, signal) => {
      const finished = await v1.call("completeUpload", { params: paramsOf(downloadId), body, signal });
      return { ...finished, shareUrl: finished.link, filename: finished.name };
    },
    noteFailure: null,
    cancelUpload: (downloadId) => v1.call("cancelUpload", { params: paramsOf(downloadId) }),
    // Programs know no CORS. Whether the server answers tells a lost line from storage that is out of reach.
    fixCors: (signal) => v1.call("readMe", { signal }),
    namesUploadOfPart: false,
    partAddress: (downloadId, part, crc32) =>
      v1.addressOf("sendPart", { params: { ...paramsOf(downloadId), part }, query: { crc32 } }),
    startTransfer: async (body) => {
      const { expiration, expirationChosen, ...rest } = body;
      const expires = expirationChosen ? expiration : undefined;
      const startKey = startKeyOf(body);
      const answer = await v1.call("startTransfer", { body: { ...rest, ...unknown, expires }, startKey });
      ids.set(answer.downloadId, answer.id);
      return transferOf(answer);
    },
    sendBatch: (downloadId, body, signal) => v1.call("addFiles", { params: paramsOf(downloadId), body, signal }),
    finishTransfer: async (downloadId, { summary: _summary, ...body }, signal) => {
      const options = { params: paramsOf(downloadId), body, signal };
      const finished = await v1.call("completeTransfer", options);
      return { ...finished, shareUrl: finished.link, filename: finished.name };
    },
    listEntries: async (downloadId, from, signal) => {
      const entries: ListedEntry[] = [];
      for (let cursor: string | null = String(from); cursor !== null;) {
        const options = { params: paramsOf(downloadId), query: { cursor }, signal };
        const page: CallAnswer<"listTransferFiles"> = await v1.call("listTransferFiles", options);
        entries.push(...page.items.map(({ name: path, ...entry }) => ({ path, ...entry })));
        cursor = page.next;
      }
      return { entries, total: from + entries.length };
    },
    removeEntry: () => Promise.reject(new Failure(EXIT.fault, "The command line removes no file of a transfer.")),
    objectPartAddress: (downloadId, object, part) =>
      v1.addressOf("sendObjectPart", { params: { ...paramsOf(downloadId), object, part } }),
    unlock: async (downloadId, access) => {
      // v1 does not hand out what only programs with the link's key can read.
      const response = await fetch(`${v1.origin}/api/files/download/${downloadId}/unlock`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ access }),
      });
      const text = await response.text();
      if (!response.ok) throw refusalOf(response.status, text);
      // The engine checks what it takes from it with the link's keys.
      return parseObject(text) as unknown as OpenedSeal;
    },
    putManifest: (id, body, signal) => v1.call("putManifest", { params: { id }, body, ...(signal && { signal }) }),
  };
}

/** With the names of the pages' calls. */
function uploadOf(answer: CallAnswer<"startUpload">): StartUploadAnswer {
  const { id: uploadId, link: shareUrl, upload, ...rest } = answer;
  const { kind, partSize, partCount, urls, headers } = upload;
  const isInParts = kind === "parts" && partSize !== undefined && partCount !== undefined;
  return {
    ...rest,
    uploadId,
    shareUrl,
    urls,
    presignedUrl: urls[0]?.url ?? "",
    fileData: { contentType: headers["content-type"] ?? "" },
    ...(isInParts && { multipart: { partSizeBytes: partSize, partCount } }),
  };
}

function transferOf({ id: uploadId, link: shareUrl, ...rest }: CallAnswer<"startTransfer">): StartTransferAnswer {
  return { ...rest, uploadId, shareUrl };
}
