import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";
import { ApiError } from "../api-error.ts";
import type { ErrorCode } from "#domain/errors.ts";
import type {
  FinishTransferAnswer,
  ListedEntry,
  StartTransferAnswer,
  TransferBatch,
  TransferReceipt,
} from "#domain/wire.ts";
import { retryUploadStep } from "../retry.ts";
import { isRetryableCall, requireAnswer } from "../upload-step.ts";

export const transferApi = {
  /** Cannot be aborted: the server may have begun, and only its answer tells what to cancel. */
  start: (body: BodyOf<"POST /api/transfers">) => call("POST /api/transfers", { body }),
  batch: (id: string, body: BodyOf<"POST /api/transfers/:id/batch">, signal: AbortSignal) =>
    call("POST /api/transfers/:id/batch", { params: { id }, body, signal }),
  finish: (id: string, receipts: TransferReceipt[], signal: AbortSignal) =>
    call("POST /api/transfers/:id/finish", { params: { id }, body: { receipts }, signal }),
  entries: (id: string, from: number, signal: AbortSignal) =>
    call("GET /api/files/download/:id/entries", { params: { id }, query: { from: String(from) }, signal }),
  removeEntry: (fileId: string, n: number, signal: AbortSignal) =>
    call("DELETE /api/files/:id/entries/:n", { params: { id: fileId, n: String(n) }, signal }),
};

/** A batch that says nothing. */
export const NOTHING: TransferBatch = { open: [], sign: [], receipts: [], sums: [], drop: [], remove: [] };

/**
 * After an abort it still waits for the answer of a call that is under way.
 * @param request its title may be "" @throws as `retryUploadStep`; UploadError for an unreadable answer
 */
export function startTransfer(
  { title = "", ...request }: BodyOf<"POST /api/transfers">,
  fingerprint: string | null,
  signal: AbortSignal,
): Promise<StartTransferAnswer> {
  const body = { ...request, ...(title === "" ? {} : { title }), fingerprint };
  return requireAnswer(
    { code: "noUrl" },
    ["downloadId", "shareUrl", "urls", "received"],
    () => retryUploadStep("start", () => transferApi.start(body), isRetryableCall, signal),
  );
}

/** @throws as `startTransfer` */
export function finishTransfer(
  downloadId: string,
  receipts: TransferReceipt[],
  signal: AbortSignal,
): Promise<FinishTransferAnswer> {
  return requireAnswer(
    { code: "completeFailed" },
    ["shareUrl", "filename", "size"],
    () =>
      retryUploadStep("completion", () => transferApi.finish(downloadId, receipts, signal), isRetryableCall, signal),
  );
}

/** Removes a file of a finished transfer. @throws as `retryUploadStep` */
export function removeEntry(fileId: string, n: number, signal: AbortSignal): Promise<unknown> {
  return retryUploadStep("removal", () => transferApi.removeEntry(fileId, n, signal), isRetryableCall, signal);
}

/** All entries of the transfer, as its owner sees them. @throws as `retryUploadStep` */
export async function listEntries(downloadId: string, signal: AbortSignal): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  for (;;) {
    const read = () => transferApi.entries(downloadId, listed.length, signal);
    const page = await retryUploadStep("list of files", read, isRetryableCall, signal);
    listed.push(...page.entries);
    if (page.entries.length === 0 || listed.length >= page.total) return listed;
  }
}

/** @returns the code of an answer of the API; null for other errors */
export function codeOf(error: unknown): ErrorCode | null {
  return error instanceof ApiError && typeof error.body.code === "string" ? (error.body.code as ErrorCode) : null;
}
