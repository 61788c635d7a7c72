import { covers } from "#domain/protection/coverage.ts";
import { LEASE_AFTER_FILE_MS, LEASE_MAX_MS, LEASE_SILENCE_MS } from "#domain/protection/link-protection.ts";
import { MAX_ENTRIES } from "#domain/transfers/limits.ts";
import { addRuns, countNumbers, type Run, type Runs } from "#domain/transfers/runs.ts";

/** One lease of a limited link and the bytes sent to its browser, as pure functions. Moments are epoch milliseconds. */

/** A requested range. */
export interface AskedRange {
  /** The response's id, so that a repeated report changes nothing. */
  response: string;
  /** The requested resource: a file, or an archive by its ETag. */
  resource: string;
  from: number;
  /** The range's end, exclusive. */
  to: number;
  /** The runs of the resource's bytes that each count as a download once the browser has received the whole run. */
  wholes: readonly Run[];
}

export interface LeaseResponse extends AskedRange {
  /** The end of the bytes that have been handed over. */
  handedTo: number;
  /**
   * "broken": the response was interrupted, and `to` is the end of the bytes that were being sent at the interruption.
   * A later range that begins before `to` confirms the bytes before its beginning, and the standing becomes "resumed".
   * Bytes from `handedTo` on stay uncertain.
   */
  standing: "running" | "broken" | "resumed";
  /** The positions inside this range at which later ranges began while this response was running. */
  begins: readonly number[];
}

/** The bytes of one resource that a lease's browser has received. */
export interface LeaseBytes {
  /** The bytes that were handed over for certain, as canonical runs. */
  had: Runs;
  responses: readonly LeaseResponse[];
}

export interface Lease {
  id: string;
  /**
   * "held": the lease has a place among the link's downloads. "counted": a finished download has used the lease's place
   * up. "lapsed": the lease's place is free again.
   */
  standing: "held" | "counted" | "lapsed";
  takenAt: number;
  seenAt: number;
  finishedAt: number | null;
  lapsedAt: number | null;
  /**
   * Bytes that a lapsed lease may have received without being counted. Half of the transfer or more counts as the whole
   * transfer.
   */
  lostBytes: number;
  bytes: ReadonlyMap<string, LeaseBytes>;
}

/** The most runs and responses that a lease notes of one resource. */
const MAX_NOTES_PER_RESOURCE = 1000;
const MAX_RESOURCES = 2 * MAX_ENTRIES;
/**
 * The most runs and responses that a lease notes in all: a Durable Object has 128 MB of memory (Workers platform
 * limit).
 */
const MAX_NOTES = 2 * MAX_RESOURCES;
/** The most beginnings of later ranges that a running response notes. */
const MAX_BEGINS = 64;

const NOTHING: LeaseBytes = { had: [], responses: [] };

export function newLease(id: string, now: number): Lease {
  return {
    id,
    standing: "held",
    takenAt: now,
    seenAt: now,
    finishedAt: null,
    lapsedAt: null,
    lostBytes: 0,
    bytes: new Map(),
  };
}

/** When the lease lapses or closes, unless its browser goes on downloading. */
export function leaseEndsAt({ standing, takenAt, seenAt, finishedAt }: Lease): number {
  const silentAt = Math.min(seenAt + LEASE_SILENCE_MS, takenAt + LEASE_MAX_MS);
  return standing === "counted" ? Math.max(silentAt, (finishedAt ?? 0) + LEASE_AFTER_FILE_MS) : silentAt;
}

/**
 * @returns how many bytes may have been handed over, including bytes that are still being sent, because a report may be
 * lost
 */
export function bytesPerhapsHad({ bytes }: Lease): number {
  let sum = 0;
  for (const { had, responses } of bytes.values()) {
    sum += countNumbers(
      addRuns(
        had,
        responses.map(({ handedTo, to }) => [handedTo, to - handedTo]),
      ),
    );
  }
  return sum;
}

export interface LeaseChange {
  lease: Lease;
  /** Whether the change completed a run of `wholes`. */
  hasFinished: boolean;
}

/**
 * Notes a range that is about to be sent. A range that begins within the uncertain bytes of an interrupted response
 * confirms the bytes before its beginning. @returns null if the lease has too many notes
 */
export function openResponse(lease: Lease, asked: AskedRange): LeaseChange | null {
  const before = lease.bytes.get(asked.resource) ?? NOTHING;
  if (before.responses.some(({ response }) => response === asked.response)) return { lease, hasFinished: false };
  const isFull = before.had.length + before.responses.length >= MAX_NOTES_PER_RESOURCE;
  if (isFull || (before === NOTHING && lease.bytes.size >= MAX_RESOURCES) || countNotes(lease) >= MAX_NOTES)
    return null;
  const { from } = asked;
  const confirmed: Run[] = [];
  const wholes = [...asked.wholes];
  const responses: LeaseResponse[] = [];
  for (const each of before.responses) {
    const isInside = each.from < from && from < each.to;
    if (isInside && each.standing === "broken" && each.handedTo < from) {
      confirmed.push([each.handedTo, from - each.handedTo]);
      wholes.push(...each.wholes);
      responses.push({ ...each, handedTo: from, standing: "resumed" });
    } else if (isInside && each.standing === "running") {
      responses.push({ ...each, begins: [...each.begins, from].slice(-MAX_BEGINS) });
    } else responses.push(each);
  }
  responses.push({ ...asked, handedTo: from, standing: "running", begins: [] });
  return change(lease, asked.resource, { had: addRuns(before.had, confirmed), responses }, wholes);
}

/** Notes how far a response has come. @returns null if the response is unknown or has ended */
export function advanceResponse(lease: Lease, response: string, handedTo: number): LeaseChange | null {
  const found = findRunning(lease, response);
  if (!found) return null;
  const { before, running } = found;
  const reached = clamp(handedTo, running.handedTo, running.to);
  return change(
    lease,
    running.resource,
    {
      had: addRuns(before.had, [[running.handedTo, reached - running.handedTo]]),
      responses: before.responses.map((each) => (each === running ? { ...each, handedTo: reached } : each)),
    },
    running.wholes,
  );
}

/**
 * Notes the end of a response. @param underWayTo the end of the bytes whose sending had begun when the response ended
 * @returns null if the response is unknown or has already ended
 */
export function endResponse(lease: Lease, response: string, handedTo: number, underWayTo: number): LeaseChange | null {
  const found = findRunning(lease, response);
  if (!found) return null;
  const { before, running } = found;
  const reached = clamp(handedTo, running.handedTo, running.to);
  const uncertainTo = clamp(underWayTo, reached, running.to);
  const resumedAt = Math.max(reached, ...running.begins.filter((begin) => begin < uncertainTo));
  const standing = resumedAt > reached ? "resumed" : "broken";
  const ended: LeaseResponse = { ...running, handedTo: resumedAt, to: uncertainTo, standing, begins: [] };
  const others = before.responses.filter((each) => each !== running);
  return change(
    lease,
    running.resource,
    {
      had: addRuns(before.had, [[running.handedTo, resumedAt - running.handedTo]]),
      responses: [...others, ended],
    },
    running.wholes,
  );
}

function countNotes({ bytes }: Lease): number {
  let count = 0;
  for (const { had, responses } of bytes.values()) count += had.length + responses.length;
  return count;
}

function findRunning(lease: Lease, response: string): { before: LeaseBytes; running: LeaseResponse } | null {
  for (const before of lease.bytes.values()) {
    const running = before.responses.find((each) => each.response === response && each.standing === "running");
    if (running) return { before, running };
  }
  return null;
}

function change(lease: Lease, resource: string, after: LeaseBytes, wholes: readonly Run[]): LeaseChange {
  const had = lease.bytes.get(resource)?.had ?? [];
  // An interrupted response needs no note once all its bytes have been sent again.
  const responses = after.responses.filter(
    ({ standing, handedTo, to }) => standing === "running" || !covers(after.had, [handedTo, to - handedTo]),
  );
  const bytes = new Map(lease.bytes).set(resource, { had: after.had, responses });
  // An empty file has no bytes that could complete it, so it counts only if the lease has not finished a file yet.
  const hasFinished = wholes.some(
    (whole) => covers(after.had, whole) && (whole[1] === 0 ? lease.finishedAt === null : !covers(had, whole)),
  );
  return { lease: { ...lease, bytes }, hasFinished };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
