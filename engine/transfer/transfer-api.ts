import type { ErrorCode } from "#domain/errors.ts";
import type {
  FinishTransferAnswer,
  ListedEntry,
  StartTransferAnswer,
  TransferBatch,
  CompletedObjectPart,
} from "#domain/wire.ts";
import { ApiError } from "../api-error.ts";
import type { Calls } from "../calls.ts";
import type { Ports } from "../ports.ts";
import type { UploadRecorder } from "../upload-recorder.ts";
import { END_FIELDS, NO_URL, NOT_COMPLETED, requireAnswer, retryCall, START_FIELDS } from "../upload-step.ts";

type CallPorts = Pick<Ports, "calls" | "online" | "warn">;

/** A batch without changes and without reports. */
export const EMPTY_BATCH: TransferBatch = { open: [], sign: [], receipts: [], sums: [], drop: [], remove: [] };

/**
 * Starts a transfer. After an abort the function still waits for the answer of a call that is under way.
 * @param request its title may be "" @throws as `retryUploadStep`; UploadError for an unreadable answer
 */
export function startTransfer(
  ports: CallPorts,
  { title = "", ...request }: Parameters<Calls["startTransfer"]>[0],
  fingerprint: string | null,
  signal: AbortSignal,
): Promise<StartTransferAnswer> {
  const body = { ...request, ...(title === "" ? {} : { title }), fingerprint };
  return requireAnswer(ports, "start", () => ports.calls.startTransfer(body), START_FIELDS, NO_URL, signal);
}

/** @param record of the upload; absent if the transfer has already finished @throws as `newTransferRecord` */
export function finishTransfer(
  ports: CallPorts,
  downloadId: string,
  receipts: CompletedObjectPart[],
  signal: AbortSignal,
  record?: UploadRecorder,
): Promise<FinishTransferAnswer> {
  const finish = () => {
    const summary = record?.summary(performance.now());
    return ports.calls.finishTransfer(downloadId, { receipts, ...(summary && { summary }) }, signal);
  };
  return requireAnswer(ports, "completion", finish, END_FIELDS, NOT_COMPLETED, signal);
}

/** Removes a file of a finished transfer. @throws as `retryUploadStep` */
export function removeEntry(ports: CallPorts, fileId: string, n: number, signal: AbortSignal): Promise<unknown> {
  return retryCall(ports, "removal", () => ports.calls.removeEntry(fileId, n, signal), signal);
}

/** All entries of the transfer, as its owner sees them. @throws as `retryUploadStep` */
export async function listEntries(ports: CallPorts, downloadId: string, signal: AbortSignal): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  for (;;) {
    const read = () => ports.calls.listEntries(downloadId, listed.length, signal);
    const page = await retryCall(ports, "list of files", read, signal);
    listed.push(...page.entries);
    if (page.entries.length === 0 || listed.length >= page.total) return listed;
  }
}

/** @returns the code of an answer of the API; null for other errors */
export function codeOf(error: unknown): ErrorCode | null {
  return error instanceof ApiError && typeof error.body.code === "string" ? (error.body.code as ErrorCode) : null;
}
