import { LAPSED_LEASE_KEPT_MS, SPARE_COPIES } from "#domain/protection/link-protection.ts";
import { isSameClient } from "#domain/protection/tokens.ts";
import {
  advanceResponse,
  bytesPerhapsHad,
  endResponse,
  leaseEndsAt,
  newLease,
  openResponse,
  type AskedRange,
  type Lease,
  type LeaseChange,
} from "./lease.ts";

/**
 * The state machine of one link with a download limit, as pure functions without clock or storage. Moments are epoch
 * milliseconds. The limit is on leases, each one browser's right to download the transfer. At any moment
 *
 *   counted + held <= limit               so that every lease that begins can finish
 *   copies + held <= limit + SPARE_COPIES so that interrupted downloads give few extra copies
 *
 * unless the owner lowered the limit; then no lease begins until both hold again.
 */

export interface GateLink {
  /** The id of the row in D1. */
  fileId: string;
  /** The size of all files behind the link. */
  sizeBytes: number;
  limit: number;
  counted: number;
  /** Bytes that leases which are no longer stored may have received without being counted. */
  lostBytes: number;
  /** When the last download that the limit allows was counted. */
  endedAt: number | null;
  /** When the last lease after `endedAt` closed. From this time on, the link's bytes may be deleted. */
  closedAt: number | null;
}

export interface GateState {
  link: GateLink;
  /** Leases by id. */
  leases: ReadonlyMap<string, Lease>;
}

export interface Transition<Answer> {
  state: GateState;
  answer: Answer;
}

export type GateAnswer =
  /**
   * `lease`: its id. `left`: how many places the link has left beside this lease's place. `until`: when the lease
   * lapses if its browser stops.
   */
  | { ok: true; lease: string; left: number; until: number }
  | { ok: false; code: "DOWNLOADS_USED_UP" | "ATTEMPTS_USED_UP" }
  /** `freeAt`: when the first held lease may lapse, so that another download may begin. */
  | { ok: false; code: "DOWNLOADS_BUSY"; freeAt: number };

export type TakeRefusal = Exclude<GateAnswer, { ok: true }>;

export type OpenRefusal = { ok: false; code: "LEASE_NEEDED" } | { ok: false; code: "TOO_MANY_RANGES" };
export type OpenAnswer = { ok: true } | OpenRefusal;

/** @param counted the count in the link's row in D1 */
export function startGate(link: Pick<GateLink, "fileId" | "sizeBytes" | "limit" | "counted">, now: number): GateState {
  const endedAt = link.counted >= link.limit ? now : null;
  return { link: { ...link, lostBytes: 0, endedAt, closedAt: null }, leases: new Map() };
}

/** Lapses, closes and forgets due leases, and closes a used-up link. @returns the same state if nothing is due */
export function tidy(state: GateState, now: number): GateState {
  const dueAt = nextTidyAt(state);
  if ((dueAt === null || now < dueAt) && !isOver(state)) return state;
  const leases = new Map<string, Lease>();
  const link = { ...state.link };
  for (const lease of state.leases.values()) {
    const left = lapse(lease, link, now);
    if (left === null) continue;
    if (left.lapsedAt === null || now < left.lapsedAt + LAPSED_LEASE_KEPT_MS) leases.set(left.id, left);
    else link.lostBytes += left.lostBytes;
  }
  if (isOver({ link, leases })) link.closedAt = now;
  return { link, leases };
}

/** Whether all downloads are used up and no lease may go on. */
function isOver({ link, leases }: GateState): boolean {
  if (link.endedAt === null || link.closedAt !== null) return false;
  return [...leases.values()].every(({ standing }) => standing === "lapsed");
}

/** @returns the same lease if it is not due to lapse; null if the lease can be forgotten */
function lapse(lease: Lease, { sizeBytes }: GateLink, now: number): Lease | null {
  if (lease.standing === "lapsed" || now < leaseEndsAt(lease)) return lease;
  const perhapsHad = bytesPerhapsHad(lease);
  if (lease.standing === "counted" || perhapsHad === 0) return null;
  return { ...lease, standing: "lapsed", lapsedAt: leaseEndsAt(lease), lostBytes: lostOf(perhapsHad, sizeBytes) };
}

/** Counts half of the link's bytes or more as a whole copy, and fewer bytes as they are; these add up over leases. */
function lostOf(perhapsHadBytes: number, sizeBytes: number): number {
  return 2 * perhapsHadBytes >= sizeBytes ? sizeBytes : perhapsHadBytes;
}

function copiesIn(lostBytes: number, { sizeBytes }: GateLink): number {
  return sizeBytes === 0 ? 0 : Math.floor(lostBytes / sizeBytes);
}

/**
 * Gives a browser its own lease again, a program its unfinished lease, and others a new lease.
 * @param id the id in the caller's token, or a new id
 */
export function take(before: GateState, id: string, now: number): Transition<GateAnswer> {
  const state = tidy(before, now);
  const { link } = state;
  const own = state.leases.get(id) ?? findUnfinished(state, id);
  const { held, lostBytes, freeAt } = tally(state);
  if (own && own.standing !== "lapsed") {
    const seen = { ...own, seenAt: now };
    const left = link.limit - link.counted - held + (own.standing === "held" ? 1 : 0);
    const answer = { ok: true, lease: own.id, left: Math.max(0, left), until: leaseEndsAt(seen) } as const;
    return { state: put(state, seen), answer };
  }
  if (link.endedAt !== null) return { state, answer: { ok: false, code: "DOWNLOADS_USED_UP" } };
  const copiesOfOthers = copiesIn(lostBytes - (own?.lostBytes ?? 0), link);
  if (copiesOfOthers >= link.limit + SPARE_COPIES) return { state, answer: { ok: false, code: "ATTEMPTS_USED_UP" } };
  if (link.counted + held >= link.limit || copiesOfOthers + held >= link.limit + SPARE_COPIES) {
    return { state, answer: { ok: false, code: "DOWNLOADS_BUSY", freeAt: freeAt ?? now } };
  }
  const lease: Lease = own
    ? { ...own, standing: "held", takenAt: now, seenAt: now, lapsedAt: null, lostBytes: 0 }
    : newLease(id, now);
  // If the browser finished a file while no place was free, the file is counted now that a place is free.
  const taken = lease.finishedAt === null ? put(state, lease) : count(state, lease, now);
  const { standing } = taken.leases.get(lease.id) ?? lease;
  const until = leaseEndsAt({ ...lease, standing });
  return { state: taken, answer: { ok: true, lease: lease.id, left: link.limit - link.counted - held, until } };
}

/**
 * Finds the unfinished lease of a program. A program that has finished its download and calls again gets a new lease,
 * which uses up one more download.
 */
function findUnfinished({ leases }: GateState, id: string): Lease | undefined {
  const unfinished = [...leases.values()].filter((each) => each.finishedAt === null && isSameClient(each.id, id));
  return unfinished.find(({ standing }) => standing === "held") ?? unfinished[0];
}

/** Notes a range that is about to be sent. Idempotent. */
export function open(before: GateState, id: string, asked: AskedRange, now: number): Transition<OpenAnswer> {
  const state = tidy(before, now);
  const lease = state.leases.get(id);
  if (!lease || lease.standing === "lapsed") return { state, answer: { ok: false, code: "LEASE_NEEDED" } };
  const changed = openResponse({ ...lease, seenAt: now }, asked);
  if (!changed) return { state, answer: { ok: false, code: "TOO_MANY_RANGES" } };
  return { state: apply(state, changed, now), answer: { ok: true } };
}

/** Notes that a browser has decrypted a whole file, as if all its bytes had been handed over. Idempotent. */
export function opened(before: GateState, id: string, now: number): Transition<OpenAnswer> {
  const state = tidy(before, now);
  const lease = state.leases.get(id);
  if (!lease || lease.standing === "lapsed") return { state, answer: { ok: false, code: "LEASE_NEEDED" } };
  // A repeated report must not prolong the lease.
  if (lease.standing === "counted") return { state, answer: { ok: true } };
  const seen = { ...lease, seenAt: now };
  return { state: apply(state, { lease: seen, hasFinished: true }, now), answer: { ok: true } };
}

/** Whether a lease is held or counted, so that its browser may see what lies behind the link. Changes nothing. */
export function holds(before: GateState, id: string, now: number): boolean {
  const lease = tidy(before, now).leases.get(id);
  return lease !== undefined && lease.standing !== "lapsed";
}

/** Notes how far a running response has come. Idempotent. @returns whether the response may go on */
export function renew(
  before: GateState,
  id: string,
  response: string,
  handedTo: number,
  now: number,
): Transition<boolean> {
  const state = tidy(before, now);
  const lease = state.leases.get(id);
  if (!lease || lease.standing === "lapsed") return { state, answer: false };
  const changed = advanceResponse({ ...lease, seenAt: now }, response, handedTo);
  return changed ? { state: apply(state, changed, now), answer: true } : { state, answer: false };
}

/**
 * Notes the end of a response, however late.
 * @param underWayTo the end of the bytes whose sending had begun when the response ended
 */
export function ended(
  before: GateState,
  id: string,
  response: string,
  { handedTo, underWayTo }: { handedTo: number; underWayTo: number },
  now: number,
): GateState {
  const state = tidy(before, now);
  const lease = state.leases.get(id);
  const changed = lease && endResponse(lease, response, handedTo, underWayTo);
  return changed ? apply(state, changed, now) : state;
}

/**
 * Sets the link's download limit. A limit that is not above the downloads already counted (`counted`) ends the link; a
 * higher limit opens it again. @returns false once the link has closed
 */
export function setLimit(before: GateState, limit: number, now: number): Transition<boolean> {
  const state = tidy(before, now);
  const { link } = state;
  if (link.closedAt !== null) return { state, answer: false };
  const endedAt = link.counted >= limit ? (link.endedAt ?? now) : null;
  return { state: tidy({ ...state, link: { ...link, limit, endedAt } }, now), answer: true };
}

/** Forgives the link's interrupted downloads, for its owner. */
export function letGoOn(before: GateState, now: number): GateState {
  const { link, leases } = tidy(before, now);
  const forgiven = [...leases].map(([id, lease]) => [id, { ...lease, lostBytes: 0 }] as const);
  return { link: { ...link, lostBytes: 0 }, leases: new Map(forgiven) };
}

/** `running`: the number of held leases. `isWaiting`: interrupted downloads leave no room for another lease. */
export function describe(before: GateState, now: number): { used: number; running: number; isWaiting: boolean } {
  const { link, leases } = tidy(before, now);
  const { held, lostBytes } = tally({ link, leases });
  const isWaiting = link.endedAt === null && copiesIn(lostBytes, link) >= link.limit + SPARE_COPIES;
  return { used: link.counted, running: held, isWaiting };
}

/** When `tidy` will next change the state; null for never. */
export function nextTidyAt({ leases }: GateState): number | null {
  let next: number | null = null;
  for (const lease of leases.values()) {
    const at = lease.lapsedAt === null ? leaseEndsAt(lease) : lease.lapsedAt + LAPSED_LEASE_KEPT_MS;
    next = Math.min(next ?? at, at);
  }
  return next;
}

/** @returns `freeAt`: when the first held lease lapses; null if no lease is held */
function tally({ link, leases }: GateState): { held: number; lostBytes: number; freeAt: number | null } {
  let held = 0;
  let { lostBytes } = link;
  let freeAt: number | null = null;
  for (const lease of leases.values()) {
    lostBytes += lease.lostBytes;
    if (lease.standing !== "held") continue;
    held += 1;
    freeAt = Math.min(freeAt ?? Infinity, leaseEndsAt(lease));
  }
  return { held, lostBytes, freeAt };
}

function apply(state: GateState, { lease, hasFinished }: LeaseChange, now: number): GateState {
  const after = hasFinished ? { ...lease, finishedAt: now } : lease;
  if (lease.standing === "counted") return put(state, after);
  if (lease.standing === "held") return hasFinished ? count(state, after, now) : put(state, after);
  const { link } = state;
  const hasPlace = link.counted + tally(state).held < link.limit;
  if (hasFinished && hasPlace) return count(state, after, now);
  // A late report can only lower the bytes that may have been handed over.
  const lostBytes = Math.min(after.lostBytes, lostOf(bytesPerhapsHad(after), link.sizeBytes));
  return put(state, { ...after, lostBytes });
}

/** Counts a lease that has a place, or for which a place is free. */
function count(state: GateState, lease: Lease, now: number): GateState {
  const counted = state.link.counted + 1;
  const endedAt = counted >= state.link.limit ? (state.link.endedAt ?? now) : null;
  return put(
    { ...state, link: { ...state.link, counted, endedAt } },
    { ...lease, standing: "counted", lapsedAt: null, lostBytes: 0 },
  );
}

function put({ link, leases }: GateState, lease: Lease): GateState {
  return { link, leases: new Map(leases).set(lease.id, lease) };
}
