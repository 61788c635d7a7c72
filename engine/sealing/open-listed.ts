import type { Manifest, ManifestFile } from "#domain/seal/manifest.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import { containsNumber, toNumbers } from "#domain/transfers/runs.ts";
import type { ListedEntry, StartTransferAnswer } from "#domain/wire.ts";
import { isComplete, withoutDiffering } from "../transfer/resume-transfer.ts";
import type { TransferListEntry } from "../transfer/transfer-list.ts";
import type { KeptLink } from "./link-keys.ts";
import type { SealAnswer } from "./seal-messages.ts";

type Received = StartTransferAnswer["received"];

export interface OpenedList {
  /** The server's entries with decrypted names and dates. */
  listed: ListedEntry[];
  /** Objects received so far, without parts that differ from this device's files. */
  received: Received;
  /** Numbers of the entries whose stored bytes match this device's files. */
  sameBytes: Set<number>;
  /** Numbers of entries that no manifest names. No page can show such entries, so they are removed. */
  unnamed: number[];
}

interface Options {
  /** The entries as the server lists them. */
  listed: readonly ListedEntry[];
  start: Pick<StartTransferAnswer, "stored" | "received" | "marks">;
  chosen: readonly TransferListEntry[];
  /** The newest manifest. */
  manifest: Manifest;
  kept: Pick<KeptLink, "manifest" | "removed">;
  /** Reads a whole file of this device, for its sums and marks. */
  check(n: number, file: File): Promise<SealAnswer>;
}

/** Names the server's entries of an unfinished sealed transfer, and compares their marks with this device's files. */
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
  // Parts of a complete object cannot be sent again.
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
          if (containsNumber(object.runs, n)) received.set(number, withoutDiffering(object, new Set(differing), sizes));
        }
      } else modifiedAt = "";
    }
    opened.push({ ...entry, path, modifiedAt });
  }
  return { listed: opened, received: [...received.values()], sameBytes, unnamed, known };
}

/** Takes names from the server's manifest; sums, and files not yet on the server, also from this browser's manifest. */
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

/** Marks by entry number, then by part number. */
function marksOf(marks: NonNullable<StartTransferAnswer["marks"]>): Map<number, Map<number, string>> {
  const byEntry = new Map<number, Map<number, string>>();
  for (const { n, part, mark } of marks) {
    const parts = byEntry.get(n) ?? new Map<number, string>();
    byEntry.set(n, parts.set(part, mark));
  }
  return byEntry;
}
