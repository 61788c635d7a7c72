import type * as z from "zod/mini";
import type {
  CompleteUploadAnswer,
  completeUploadRequest,
  CurrentUser,
  FinalizeChunkedAnswer,
  finalizeChunkedRequest,
  FinishTransferAnswer,
  finishTransferRequest,
  InitChunkedAnswer,
  initChunkedRequest,
  ListedEntries,
  OpenedSeal,
  putManifestRequest,
  SignPartsAnswer,
  signPartsRequest,
  StartTransferAnswer,
  startTransferRequest,
  StartUploadAnswer,
  startUploadRequest,
  StorePicturesAnswer,
  TransferBatch,
  TransferBatchAnswer,
  UploadSummary,
} from "#domain/wire.ts";
import type { PictureToSend } from "./upload-types.ts";

/**
 * The calls to our server, except those that carry parts. @throws ApiError; TypeError without a response; the signal's
 * reason
 */
export interface Calls extends ManifestCalls {
  /** @returns null for a visitor */
  me(): Promise<Pick<CurrentUser, "id"> | null>;
  /** The call cannot be aborted: the server may have begun the upload, and only its answer says which one to cancel. */
  startUpload(body: z.input<typeof startUploadRequest>): Promise<StartUploadAnswer>;
  signParts(body: z.input<typeof signPartsRequest>, signal: AbortSignal): Promise<SignPartsAnswer>;
  completeUpload(body: z.input<typeof completeUploadRequest>, signal: AbortSignal): Promise<CompleteUploadAnswer>;
  /** @param summary of what the engine has sent so far */
  cancelUpload(downloadId: string, summary?: UploadSummary): Promise<unknown>;
  /** Sends the summary of an upload that failed and may be resumed. Null where the server takes no such summary. */
  noteFailure: ((downloadId: string, summary: UploadSummary) => Promise<unknown>) | null;
  /** Asks the server to repair the CORS rules of the bucket. */
  fixCors(signal: AbortSignal): Promise<unknown>;
  /** The address for the PUT of a part of a file through our server. @param part from 1 @param crc32 of a plain part */
  partAddress(downloadId: string, part: number, crc32: string | undefined): string;
  /** Whether the answer to a part that went through our server also names the upload and its file. */
  namesUploadOfPart: boolean;

  /** Starts a transfer. The call cannot be aborted, for the reason given at `startUpload`. */
  startTransfer(body: z.input<typeof startTransferRequest>): Promise<StartTransferAnswer>;
  sendBatch(downloadId: string, batch: TransferBatch, signal: AbortSignal): Promise<TransferBatchAnswer>;
  finishTransfer(
    downloadId: string,
    body: z.input<typeof finishTransferRequest>,
    signal: AbortSignal,
  ): Promise<FinishTransferAnswer>;
  /** @param from the number of the first entry */
  listEntries(downloadId: string, from: number, signal: AbortSignal): Promise<ListedEntries>;
  removeEntry(fileId: string, n: number, signal: AbortSignal): Promise<unknown>;
  /** Sends small pictures of files, at most 4 MiB. Null where the server takes none. */
  sendPictures:
    | ((downloadId: string, pictures: readonly PictureToSend[], signal: AbortSignal) => Promise<StorePicturesAnswer>)
    | null;
  /** The address for the PUT of a part of an object through our server. */
  objectPartAddress(downloadId: string, object: number, part: number): string;
}

/** The calls of an upload in chunks. Only pages make them. */
export interface ChunkCalls extends Calls {
  initChunked(body: z.input<typeof initChunkedRequest>): Promise<InitChunkedAnswer>;
  finalizeChunked(body: z.input<typeof finalizeChunkedRequest>, signal: AbortSignal): Promise<FinalizeChunkedAnswer>;
}

/** Calls about the list of files of a sealed upload. */
export interface ManifestCalls {
  /** @param access base64url @throws ApiError; its status is 403 for a wrong access */
  unlock(downloadId: string, access: string): Promise<OpenedSeal>;
  putManifest(
    uploadId: string,
    body: z.input<typeof putManifestRequest>,
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}
