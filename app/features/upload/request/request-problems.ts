import { isWantedKind } from "#domain/requests/limits.ts";
import type { SeenUploadRequest } from "#domain/wire.ts";
import type { TransferList, TransferListEntry } from "#engine/transfer/transfer-list.ts";

/** The reasons why a list does not fit into a request. Without `files`, the list would fit in this respect. */
export type RequestProblem =
  | { kind: "kinds"; kinds: readonly string[]; files: TransferListEntry[] }
  | { kind: "sizes"; mostFileBytes: number; files: TransferListEntry[] }
  | { kind: "bytes"; leftBytes: number }
  | { kind: "count"; most: number };

/** Checks a list before anything is sent. The server checks again. */
export function findRequestProblems(
  { entries, bytes }: Pick<TransferList, "entries" | "bytes">,
  { kinds, mostFileBytes, mostFiles, left }: Pick<SeenUploadRequest, "kinds" | "mostFileBytes" | "mostFiles" | "left">,
): RequestProblem[] {
  const problems: RequestProblem[] = [];
  const unwanted = entries.filter(({ path, file }) => file !== null && !isWantedKind(path, kinds));
  if (kinds !== null && unwanted.length > 0) problems.push({ kind: "kinds", kinds, files: unwanted });
  const large = entries.filter(({ sizeBytes }) => sizeBytes > mostFileBytes);
  if (large.length > 0) problems.push({ kind: "sizes", mostFileBytes, files: large });
  if (left.bytes !== null && bytes > left.bytes) problems.push({ kind: "bytes", leftBytes: left.bytes });
  if (entries.length > mostFiles) problems.push({ kind: "count", most: mostFiles });
  return problems;
}
