import { partRange } from "#domain/parts.ts";
import { toNumbers, toRuns } from "#domain/transfers/runs.ts";
import type { ListedEntry, ReceivedObject, StartTransferAnswer } from "#domain/wire.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";
import { isComplete } from "./resume-transfer.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** Small files take longer to be asked for than to be read. */
const FILES_AT_ONCE = 8;

interface Compared {
  /** Stored files that differ have no date any more: they have changed. */
  listed: readonly ListedEntry[];
  /** Without parts that differ: they are sent again. */
  received: readonly ReceivedObject[];
  /** Entries whose bytes are the same as far as the server has them, whatever their date. */
  sameBytes: ReadonlySet<number>;
}

/**
 * Compares what the server has of a transfer with the files of this device, by their sums. Equal names, sizes and dates
 * do not tell that bytes are equal (decision 049). What has no sum, and files that cannot be read, are left as they are.
 * @param received as the start answered it @param read in the reading thread
 */
export async function compareStored(
  listed: readonly ListedEntry[],
  { received }: Pick<StartTransferAnswer, "received">,
  chosen: readonly TransferListEntry[],
  read: (request: ReadRequest) => Promise<ReadAnswer>,
): Promise<Compared> {
  const local = new Map(chosen.map((entry) => [entry.path, entry]));
  const sizes = new Map(listed.map(({ n, size }) => [n, size]));
  /** By entry, of those that the server has under the same size. */
  const files = new Map<number, File>();
  for (const { n, path, size, state } of listed) {
    const { file = null, sizeBytes } = local.get(path) ?? {};
    if (file && sizeBytes === size && state !== "removed") files.set(n, file);
  }
  const same = new Set<number>();
  const changed = new Set<number>();
  const summed = listed.filter(({ n, size, crc32 }) => files.has(n) && crc32 !== undefined && size > 0);
  for (let at = 0; at < summed.length; at += FILES_AT_ONCE) {
    const compare = async ({ n, size, crc32 }: ListedEntry) => {
      const file = files.get(n);
      if (!file) return;
      const { crc32: sum, failures } = await read({ kind: "check", file, ranges: [{ start: 0, end: size }] });
      if (failures.length === 0) (sum === crc32 ? same : changed).add(n);
    };
    await Promise.all(summed.slice(at, at + FILES_AT_ONCE).map(compare));
  }
  const compared: ReceivedObject[] = [];
  for (const object of received) {
    const numbers = toNumbers(object.runs);
    const differing = await differingParts(object, numbers, files, read);
    const isArrived = isComplete(object, sizes);
    // Storage is about to join what it has all of: its parts cannot be sent again.
    const kept = isArrived ? object.parts : toRuns(toNumbers(object.parts).filter((part) => !differing?.has(part)));
    compared.push({ ...object, parts: kept });
    if (differing) for (const n of numbers) (isArrived && differing.size > 0 ? changed : same).add(n);
  }
  return {
    listed: listed.map((entry) => (changed.has(entry.n) ? { ...entry, modifiedAt: "" } : entry)),
    received: compared,
    sameBytes: same,
  };
}

/** @returns null where it cannot be told */
async function differingParts(
  { sums = [], partSizeBytes }: ReceivedObject,
  numbers: readonly number[],
  files: ReadonlyMap<number, File>,
  read: (request: ReadRequest) => Promise<ReadAnswer>,
): Promise<Set<number> | null> {
  const inObject = numbers.flatMap((n) => files.get(n) ?? []);
  const [file] = inObject;
  if (!file || inObject.length < numbers.length || sums.length === 0) return null;
  if (inObject.length > 1) {
    const { crc32, failures } = await read({ kind: "pack", files: inObject });
    return failures.length > 0 ? null : new Set(crc32 === sums[0]?.crc32 ? [] : [1]);
  }
  const differing = new Set<number>();
  for (const { part, crc32 } of sums) {
    const range = partRange(file.size, part, partSizeBytes);
    const { crc32: sum, failures } = await read({ kind: "check", file, ranges: [range] });
    if (failures.length > 0) return null;
    if (sum !== crc32) differing.add(part);
  }
  return differing;
}
