import { AppError } from "#domain/errors.ts";
import {
  blockable,
  MAX_IMPORTED_LINES,
  MAX_LISTED_LINES,
  readBlockList,
  writeBlockList,
  type BlockedSum,
} from "#domain/moderation/block-list.ts";
import { decodePage } from "#domain/transfers/pages.ts";
import { GIB } from "#domain/units.ts";
import type {
  AdminViewer,
  BlockList,
  BlockListQuery,
  ImportBlockListRequest,
  ImportedBlockList,
  RemoveBlockedRequest,
} from "#domain/wire.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import { logAdminAction } from "../db/admin-audit.ts";
import type { TakenDownFile } from "../db/admin-files.ts";
import {
  addBlockedSums,
  findBlockedSum,
  listBlockedSums,
  listBlockLabels,
  removeBlockedSums,
} from "../db/blocked-sums.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError, logWarning } from "../log.ts";
import type { Services } from "../services.ts";
import { storedKeysOf } from "../storage/keys.ts";
import { hashObjects } from "../storage/objects.ts";

/** The labels of the list, and with a search the sum that it names. */
export async function readBlockListPage({ db }: Services, { q = "" }: BlockListQuery): Promise<BlockList> {
  const [{ labels, total }, found] = await Promise.all([
    listBlockLabels(db),
    q === "" ? null : findBlockedSum(db, q.toLowerCase()),
  ]);
  return {
    total,
    labels: labels.map(({ label, sums, latest }) => ({ label, sums, latest: new Date(latest).toISOString() })),
    found: found && { sha256: found.sha256, label: found.label, addedAt: found.addedAt.toISOString() },
  };
}

/** @param now epoch milliseconds @throws AppError BAD_REQUEST for too many lines */
export async function importBlockList(
  { db }: Services,
  admin: AdminViewer,
  { label, list }: ImportBlockListRequest,
  now: number,
): Promise<ImportedBlockList> {
  const { sums, bad, lines } = readBlockList(list, label);
  if (lines > MAX_IMPORTED_LINES) throw localizedError("BAD_REQUEST", "blockListLong", { count: MAX_IMPORTED_LINES });
  const added = await addBlockedSums(db, sums, now);
  const details = `${label}: ${added} added`;
  if (added > 0) await logAdminAction(db, { admin, action: "block-list.add", target: "", details, at: now });
  return { added, known: sums.length - added, badCount: bad.length, bad: bad.slice(0, MAX_LISTED_LINES) };
}

const SUMS_PER_READ = 5000;

/** The whole list as text, which `importBlockList` reads. */
export function exportBlockList({ db }: Services): Response {
  const encoder = new TextEncoder();
  let after = "";
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const sums = await listBlockedSums(db, after, SUMS_PER_READ);
      const last = sums.at(-1);
      if (!last) {
        controller.close();
        return;
      }
      after = last.sha256;
      controller.enqueue(encoder.encode(writeBlockList(sums)));
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="block-list.txt"',
      "cache-control": "no-store",
    },
  });
}

/** @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function removeFromBlockList(
  { db }: Services,
  admin: AdminViewer,
  which: RemoveBlockedRequest,
  now: number,
): Promise<{ removed: number }> {
  const details = "sha256" in which ? which.sha256 : which.label;
  const entry = { admin, action: "block-list.remove", target: "", details, at: now } as const;
  const removed = await removeBlockedSums(db, which, entry);
  if (removed === 0) throw new AppError("NOT_FOUND");
  return { removed };
}

/** The largest file that a takedown hashes, which takes a few seconds. */
const MAX_HASHED_BYTES = GIB;

/**
 * Keeps what was taken down from coming back. Only sums that the server has computed go onto the list, because a sender
 * may tell the sum of somebody else's file. Call it before the bytes are deleted. Never rejects.
 * @param now epoch milliseconds
 */
export async function blockTakenDown(services: Services, file: TakenDownFile, now: number): Promise<void> {
  if (file.seal !== null || file.status !== "ready") return;
  try {
    const sums = file.entryCount === null ? [await serverSumOf(services, file)] : await sumsOfEntries(services, file);
    await addBlockedSums(services.db, labelled(sums, file.id), now);
  } catch (error) {
    logError("block_list.not_added", error, { fileId: file.id });
  }
}

/** As `blockTakenDown`, for one file of a transfer. @param sha256 null if the server has not computed it */
export async function blockTakenDownEntry(
  { db }: Services,
  fileId: string,
  sha256: string | null,
  now: number,
): Promise<void> {
  await addBlockedSums(db, labelled([sha256], fileId), now);
}

function labelled(sums: readonly (string | null)[], fileId: string): BlockedSum[] {
  return blockable(sums).map((sha256) => ({ sha256, label: `taken down: ${fileId}` }));
}

async function serverSumOf({ bucket }: Services, file: TakenDownFile): Promise<string | null> {
  if (file.sha256Source === "server") return file.sha256;
  if (file.size <= MAX_HASHED_BYTES) return hashObjects(bucket, storedKeysOf(file));
  logWarning("block_list.too_large", { fileId: file.id });
  return null;
}

async function sumsOfEntries(services: Services, file: TakenDownFile): Promise<(string | null)[]> {
  const pages = await transferSessionOf(services, file).pages(file.id);
  return pages
    .flatMap(decodePage)
    .filter(({ crcSource, removedAt }) => crcSource === "server" && removedAt === null)
    .map(({ sha256 }) => sha256);
}
