import type { CallAnswer } from "#domain/v1/calls.ts";
import type { StartTransferAnswer, StartUploadAnswer } from "#domain/wire.ts";
import type { Calls } from "#engine/calls.ts";
import { collectItems, itemsOf, type V1 } from "./v1.ts";

interface ProgramCalls extends Calls {
  /** The id of an upload that this process started. */
  idOf(downloadId: string): string;
}

interface Choice {
  /** Names the API key: the server keeps the unfinished uploads of each key apart. */
  keyId: string;
  /** Whether every upload starts anew instead of resuming an unfinished one. */
  fresh: boolean;
  /** Opens the seal of an unfinished encrypted upload. */
  unlock: Calls["unlock"];
}

/** The engine's calls, made over `/api/v1`. Pages name an upload by its link, v1 names an upload by its id. */
export function engineCalls(v1: V1, { keyId, fresh, unlock }: Choice): ProgramCalls {
  const ids = new Map<string, string>();
  const startKeys = new WeakMap<object, string>();
  const idOf = (downloadId: string) => ids.get(downloadId) ?? "";
  const paramsOf = (downloadId: string) => ({ id: idOf(downloadId) });
  /** A retried start has the same idempotency key as the first try, so that it does not start a second upload. */
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
    // Programs need no CORS. `readMe` shows whether the server is unreachable too, or storage alone.
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
      const read = (cursor = String(from)) =>
        v1.call("listTransferFiles", { params: paramsOf(downloadId), query: { cursor }, signal });
      const items = await collectItems(itemsOf(read));
      const entries = items.map(({ name: path, ...entry }) => ({ path, ...entry }));
      return { entries, total: from + entries.length };
    },
    removeEntry: () => Promise.reject(new Error("Programs remove no file of a transfer.")),
    sendPictures: null,
    objectPartAddress: (downloadId, object, part) =>
      v1.addressOf("sendObjectPart", { params: { ...paramsOf(downloadId), object, part } }),
    unlock,
    putManifest: (id, body, signal) => v1.call("putManifest", { params: { id }, body, signal }),
  };
}

/** Renames the fields of v1's answer to the fields of the pages' call. */
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
