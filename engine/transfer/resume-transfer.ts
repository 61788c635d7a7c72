import { planParts } from "#domain/parts.ts";
import { containsNumber, countNumbers, toNumbers, toRuns, type Runs } from "#domain/transfers/runs.ts";
import type { ListedEntry, ReceivedObject, StartTransferAnswer } from "#domain/wire.ts";
import { PLAIN_FORM } from "./entry-form.ts";
import type { EntryPhase } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** What the server knows of an entry, and what this device has for it. */
export interface KnownEntry {
  path: string;
  sizeBytes: number;
  phase: EntryPhase;
  /** Whether the server has its bytes, whatever the phase. */
  hasArrived: boolean;
  /** Without a file where this device does not have it. */
  local: TransferListEntry;
}

interface ResumePlan {
  /** By entry numbers. */
  known: KnownEntry[];
  /** Files that the server does not know yet. */
  added: TransferListEntry[];
  /** Objects that go on. */
  open: { object: number; numbers: number[]; parts: Runs }[];
  /** Objects whose entries are sent in others. */
  drop: number[];
}

/** A number without an entry cannot be. */
const NONE: KnownEntry = {
  path: "",
  sizeBytes: 0,
  phase: "removed",
  hasArrived: false,
  local: { path: "", file: null, sizeBytes: 0, modifiedMs: 0 },
};

/**
 * Compares what the server has of an unfinished transfer with what this device is about to send. A file that the
 * device lacks, or has in another version, is named: the person decides.
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
  // What was removed stays removed, unless it was announced anew.
  for (const { path, state } of listed) if (state === "removed") unmatched.delete(path);
  return {
    known: Array.from(known, (entry) => entry ?? NONE),
    added: [...unmatched.values()],
    open: received.filter(goesOn).map(({ object, runs, parts }) => ({ object, numbers: toNumbers(runs), parts })),
    drop: received.filter((object) => !goesOn(object)).map(({ object }) => object),
  };
}

/** Storage has all of it: it is about to be joined. @param sizes of entries, in bytes */
export function isComplete({ runs, parts }: ReceivedObject, sizes: ReadonlyMap<number, number>): boolean {
  const sizeBytes = toNumbers(runs).reduce((sum, n) => sum + (sizes.get(n) ?? 0), 0);
  return countNumbers(parts) === planParts(sizeBytes).partCount;
}
