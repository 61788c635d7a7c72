import type { V1Call } from "#domain/v1/call.ts";
import { V1_CALLS, type CallName } from "#domain/v1/calls.ts";

/** The calls of `/api/v1` that this program makes. */
const MADE = [
  "addFiles",
  "cancelUpload",
  "changeRequest",
  "changeTransfer",
  "completeTransfer",
  "completeUpload",
  "createRequest",
  "deleteRequest",
  "deleteTransfer",
  "endKey",
  "listLinkFiles",
  "listReceived",
  "listRequests",
  "listTransferFiles",
  "listTransfers",
  "mailTransfer",
  "pollDevice",
  "putManifest",
  "readLink",
  "readLinkFile",
  "readMe",
  "readTransfer",
  "readUpload",
  "sendObjectPart",
  "sendPart",
  "signParts",
  "startDevice",
  "startTransfer",
  "startUpload",
  "takeDownload",
  "unlockLink",
] as const satisfies readonly CallName[];

export type MadeCall = (typeof MADE)[number];

/** The rows of the calls that the program makes, without descriptions. `method` is absent for GET. */
export const CALLS = Object.fromEntries(MADE.map((name) => [name, rowOf(V1_CALLS[name])])) as Record<
  MadeCall,
  ReturnType<typeof rowOf>
>;

function rowOf({ method, path, answer }: V1Call): Pick<V1Call, "path" | "answer"> & Partial<Pick<V1Call, "method">> {
  return { ...(method !== "GET" && { method }), path, ...(answer && { answer }) };
}
