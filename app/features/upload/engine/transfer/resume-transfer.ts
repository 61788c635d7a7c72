import { planParts } from "#domain/parts.ts";
import { containsNumber, countNumbers, toNumbers, toRuns, type Runs } from "#domain/transfers/runs.ts";
import type { ListedEntry, StartTransferAnswer } from "#domain/wire.ts";
import type { EntryPhase } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

type ReceivedObject = StartTransferAnswer["received"][number];

interface KnownEntry {
  path: string;
  sizeBytes: number;
  phase: EntryPhase;
  /** What this device has for it; null for nothing. */
  local: TransferListEntry | null;
}

interface ResumePlan {
  /** What the server knows, by entry numbers. */
  known: KnownEntry[];
  /** Files that the server does not know yet. */
  added: TransferListEntry[];
  /** Objects that go on. */
  open: { object: number; numbers: number[]; parts: Runs }[];
  /** Objects whose entries are sent in others. */
  drop: number[];
}

/** A number without an entry cannot be. */
const NONE: KnownEntry = { path: "", sizeBytes: 0, phase: "removed", local: null };

/**
 * Compares what the server has of an unfinished transfer with what this device is about to send. A file that the
 * device lacks, or has in another version, is named: the person decides.
 * @param listed all entries, removed ones too
 */
export function planResume(
  listed: readonly ListedEntry[],
  { stored, received }: Pick<StartTransferAnswer, "stored" | "received">,
  list: readonly TransferListEntry[],
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
    const hasArrived = containsNumber(arrived, n);
    // Of a file that is sent whole, another date does no harm. Copies often have one.
    const isSameFile =
      found?.sizeBytes === size &&
      (hasArrived || !containsNumber(begun, n) || found.modifiedMs === Date.parse(modifiedAt));
    const isStored = containsNumber(stored, n);
    let phase: EntryPhase = isStored ? "stored" : "waiting";
    if (state === "removed") phase = "removed";
    else if (found && !isSameFile) phase = "changed";
    else if (!found && !hasArrived) phase = "unreadable";
    known[n] = { path, sizeBytes: size, phase, local: found ? (isSameFile ? found : withReload(found)) : null };
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

/** Storage has all of it: it is about to be joined. */
function isComplete({ runs, parts }: ReceivedObject, sizes: ReadonlyMap<number, number>): boolean {
  const sizeBytes = toNumbers(runs).reduce((sum, n) => sum + (sizes.get(n) ?? 0), 0);
  return countNumbers(parts) === planParts(sizeBytes).partCount;
}

/** What is to be announced in the place of the entry is at hand. */
function withReload(entry: TransferListEntry): TransferListEntry {
  const { file, reload } = entry;
  return file ? { ...entry, reload: reload ?? (() => Promise.resolve(file)) } : entry;
}
