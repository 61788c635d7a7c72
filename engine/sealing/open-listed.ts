import type { Manifest, ManifestFile } from "#domain/seal/manifest.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import { containsNumber, toNumbers, toRuns } from "#domain/transfers/runs.ts";
import type { ListedEntry, StartTransferAnswer } from "#domain/wire.ts";
import { isComplete } from "../transfer/resume-transfer.ts";
import type { TransferListEntry } from "../transfer/transfer-list.ts";
import type { KeptLink } from "./link-keys.ts";
import type { SealAnswer } from "./seal-messages.ts";

type Received = StartTransferAnswer["received"];

export interface OpenedList {
  /** With their names and dates. */
  listed: ListedEntry[];
  /** What was begun, without parts that this device has otherwise. */
  received: Received;
  /** Entries whose stored bytes are those of this device. */
  sameBytes: Set<number>;
  /** Entries that no manifest names: they cannot be shown, and are removed. */
  unnamed: number[];
}

interface Options {
  /** The entries as the server lists them. */
  listed: readonly ListedEntry[];
  start: Pick<StartTransferAnswer, "stored" | "received" | "marks">;
  chosen: readonly TransferListEntry[];
  /** The newest one. */
  manifest: Manifest;
  kept: Pick<KeptLink, "manifest" | "removed">;
  /** Reads a whole file of this device. */
  check(n: number, file: File): Promise<SealAnswer>;
}

/** Names what the server has of an unfinished sealed transfer, and compares its marks with the files of this device. */
export async function openListed({
  listed,
  start,
  chosen,
  manifest,
  kept,
  check,
}: Options): Promise<OpenedList & { known: Map<number, ManifestFile> }> {
  const known = knownFiles(manifest, kept.manifest, listed);
  const removed = new Map(kept.removed);
  const local = new Map(chosen.map((entry) => [entry.path, entry]));
  const marks = marksOf(start.marks ?? []);
  const received = new Map(start.received.map((object) => [object.object, object]));
  const sizes = new Map(listed.map(({ n, size }) => [n, size]));
  // Their parts cannot be sent again.
  const complete = start.received.filter((object) => isComplete(object, sizes));
  const arrived = new Set([...toNumbers(start.stored), ...complete.flatMap(({ runs }) => toNumbers(runs))]);
  const sameBytes = new Set<number>();
  const opened: ListedEntry[] = [];
  const unnamed: number[] = [];
  for (const entry of listed) {
    const { n, size, state } = entry;
    const file = known.get(n);
    const path = file?.name ?? removed.get(n) ?? entry.path;
    if (state !== "removed" && !file) unnamed.push(n);
    const found = state === "removed" ? undefined : local.get(path);
    const stored = marks.get(n);
    let modifiedAt = new Date(file?.mtime ?? 0).toISOString();
    if (found?.file && file && stored && openedSize(size) === found.sizeBytes) {
      const { marks: here, sums } = await check(n, found.file);
      const differing = [...stored.keys()].filter((part) => here[part - 1] !== stored.get(part));
      const [sum] = sums;
      if (sum && (differing.length === 0 || !arrived.has(n))) {
        sameBytes.add(n);
        known.set(n, { ...file, ...sum, mtime: found.modifiedMs });
        for (const [number, object] of received) {
          if (differing.length > 0 && containsNumber(object.runs, n))
            received.set(number, { ...object, parts: toRuns(without(toNumbers(object.parts), differing)) });
        }
      } else modifiedAt = "";
    }
    opened.push({ ...entry, path, modifiedAt });
  }
  return { listed: opened, received: [...received.values()], sameBytes, unnamed, known };
}

/** The server's manifest names the files; this browser's may have more sums, and files that were not told any more. */
function knownFiles(newest: Manifest, kept: Manifest, listed: readonly ListedEntry[]): Map<number, ManifestFile> {
  const here = new Map(kept.files.map((file) => [file.stream, file]));
  const sizes = new Map(listed.map(({ n, size }) => [n, openedSize(size)]));
  const known = new Map(kept.files.filter(({ stream, size }) => sizes.get(stream) === size).map(byStream));
  for (const file of newest.files) {
    const same = here.get(file.stream);
    const isSame = same?.name === file.name && same.size === file.size && same.mtime === file.mtime;
    const { sha256, crc32 } = isSame ? same : {};
    known.set(file.stream, { ...(sha256 !== undefined && crc32 !== undefined && { sha256, crc32 }), ...file });
  }
  return known;
}

function byStream(file: ManifestFile): [number, ManifestFile] {
  return [file.stream, file];
}

/** By entry, then by part. */
function marksOf(marks: NonNullable<StartTransferAnswer["marks"]>): Map<number, Map<number, string>> {
  const byEntry = new Map<number, Map<number, string>>();
  for (const { n, part, mark } of marks) {
    const parts = byEntry.get(n) ?? new Map<number, string>();
    byEntry.set(n, parts.set(part, mark));
  }
  return byEntry;
}

function without(numbers: readonly number[], left: readonly number[]): number[] {
  return numbers.filter((number) => !left.includes(number));
}
