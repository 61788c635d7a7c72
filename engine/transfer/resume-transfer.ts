import { planParts, partRange } from "#domain/parts.ts";
import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { containsNumber, countNumbers, toNumbers, toRuns, type Runs } from "#domain/transfers/runs.ts";
import type { ListedEntry, ReceivedObject, StartTransferAnswer } from "#domain/wire.ts";
import type { ReadAnswer, ReadRequest } from "../read-messages.ts";
import { PLAIN_FORM } from "./entry-sources.ts";
import type { EntryPhase } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** What the server knows of an entry, and what this device has for it. */
export interface KnownEntry {
  path: string;
  sizeBytes: number;
  phase: EntryPhase;
  /** Whether the server has the entry's bytes, whatever the phase. */
  hasArrived: boolean;
  /** The entry on this device; without a file if this device does not have the file. */
  local: TransferListEntry;
}

interface ResumePlan {
  /** By entry numbers. */
  known: KnownEntry[];
  /** Files that the server does not know yet. */
  added: TransferListEntry[];
  /** Objects that the resumed upload continues to send. */
  open: { object: number; numbers: number[]; parts: Runs }[];
  /** Objects that are given up: their entries are sent in other objects. */
  drop: number[];
}

/** Stands for a number without an entry, which a server never leaves. */
const NONE: KnownEntry = {
  path: "",
  sizeBytes: 0,
  phase: "removed",
  hasArrived: false,
  local: { path: "", file: null, sizeBytes: 0, modifiedMs: 0 },
};

/**
 * Compares what the server has of an unfinished transfer with what this device is about to send. A file that the device
 * lacks is "unreadable", and one that it has in another version is "changed": the person decides about both.
 * @param listed all entries, removed ones too
 * @param sameBytes entries whose bytes are those of this device, whatever their date (`compareStored`)
 */
export function planResume(
  listed: readonly ListedEntry[],
  { stored, received }: Pick<StartTransferAnswer, "stored"> & { received: readonly ReceivedObject[] },
  list: readonly TransferListEntry[],
  sameBytes: ReadonlySet<number>,
  form = PLAIN_FORM,
): ResumePlan {
  const sizes = new Map(listed.map(({ n, size }) => [n, size]));
  const complete = received.filter((object) => isComplete(object, sizes));
  const arrived = toRuns([...toNumbers(stored), ...complete.flatMap(({ runs }) => toNumbers(runs))]);
  const begun = toRuns(received.filter(({ parts }) => parts.length > 0).flatMap(({ runs }) => toNumbers(runs)));

  const unmatched = new Map(list.map((entry) => [entry.path, entry]));
  const known: KnownEntry[] = [];
  for (const { n, path, size, modifiedAt, state } of listed) {
    const found = state === "removed" ? undefined : unmatched.get(path);
    if (found) unmatched.delete(path);
    const hasArrived = size > 0 && containsNumber(arrived, n);
    const modifiedMs = Date.parse(modifiedAt);
    // While nothing of a file has been sent, another date does no harm.
    const isFresh = !hasArrived && !containsNumber(begun, n);
    const isSameFile =
      found &&
      form.sentBytes(found.sizeBytes) === size &&
      (found.modifiedMs === modifiedMs || size === 0 || isFresh || sameBytes.has(n));
    let phase: EntryPhase = containsNumber(stored, n) ? "stored" : "waiting";
    if (state === "removed") phase = "removed";
    else if (found && !isSameFile) phase = "changed";
    else if (!found && !hasArrived && phase !== "stored") phase = "unreadable";
    const local = found ?? { path, file: null, sizeBytes: size, modifiedMs };
    known[n] = { path, sizeBytes: size, phase, hasArrived, local };
  }
  const goesOn = (object: ReceivedObject) =>
    complete.includes(object) ||
    (object.parts.length > 0 && toNumbers(object.runs).every((n) => known[n]?.phase === "waiting"));
  // An entry that was removed stays removed, unless its path was announced anew.
  for (const { path, state } of listed) if (state === "removed") unmatched.delete(path);
  return {
    known: Array.from(known, (entry) => entry ?? NONE),
    added: [...unmatched.values()],
    open: received.filter(goesOn).map(({ object, runs, parts }) => ({ object, numbers: toNumbers(runs), parts })),
    drop: received.filter((object) => !goesOn(object)).map(({ object }) => object),
  };
}

/** Whether storage has all parts of an object, which is then about to be joined. @param sizes of entries, in bytes */
export function isComplete(object: ReceivedObject, sizes: ReadonlyMap<number, number>): boolean {
  return countNumbers(object.parts) === planParts(sizeOf(object, sizes)).partCount;
}

/**
 * Takes parts out of an incomplete object whose bytes differ from this device's file. No part is left of a large file,
 * because people may already read it: what they read never changes, so the file is sent anew. @param sizes of entries
 */
export function withoutDiffering(
  object: ReceivedObject,
  differing: ReadonlySet<number>,
  sizes: ReadonlyMap<number, number>,
): ReceivedObject {
  if (differing.size === 0) return object;
  const isReadable = sizeOf(object, sizes) >= SEGMENTED_FROM_BYTES;
  const left = isReadable ? [] : toNumbers(object.parts).filter((part) => !differing.has(part));
  return { ...object, parts: toRuns(left) };
}

function sizeOf({ runs }: ReceivedObject, sizes: ReadonlyMap<number, number>): number {
  return toNumbers(runs).reduce((sum, n) => sum + (sizes.get(n) ?? 0), 0);
}

/** The number of files that are read at once, because asking for a small file takes longer than reading it. */
const FILES_AT_ONCE = 8;

interface Compared {
  /** A stored file whose bytes differ from this device's has no date in this list: it counts as changed. */
  listed: readonly ListedEntry[];
  /** The received objects, without the parts that differ from this device's files: such parts are sent again. */
  received: readonly ReceivedObject[];
  /** Entries whose bytes in `received` are those of the file on this device, whatever its date. */
  sameBytes: ReadonlySet<number>;
}

/**
 * Compares what the server has of a transfer with the files of this device, by their sums. Equal names, sizes and dates
 * do not prove that bytes are equal (decision 049). Entries without a sum, and files that cannot be read, are not
 * compared.
 * @param received from the answer to the start @param read reads in the reading thread
 */
export async function compareStored(
  listed: readonly ListedEntry[],
  { received }: Pick<StartTransferAnswer, "received">,
  chosen: readonly TransferListEntry[],
  read: (request: ReadRequest) => Promise<ReadAnswer>,
): Promise<Compared> {
  const local = new Map(chosen.map((entry) => [entry.path, entry]));
  const sizes = new Map(listed.map(({ n, size }) => [n, size]));
  /** This device's files that have the same size on the server, by the number of their entry. */
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
    // Storage is about to join an object that it has completely, so that object's parts cannot be sent again.
    compared.push(isArrived ? object : withoutDiffering(object, differing ?? new Set(), sizes));
    if (differing) for (const n of numbers) (isArrived && differing.size > 0 ? changed : same).add(n);
  }
  return {
    listed: listed.map((entry) => (changed.has(entry.n) ? { ...entry, modifiedAt: "" } : entry)),
    received: compared,
    sameBytes: same,
  };
}

/** @returns the parts of an object that differ from this device's files; null if they cannot be compared */
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
    const { crc32, failures } = await read({ kind: "bytes", blobs: inObject });
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
