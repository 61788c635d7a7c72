import { DurableObject } from "cloudflare:workers";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { openDatabase } from "#worker/db/client.ts";
import { findLimitedLink, mirrorGate, type GateFacts } from "#worker/db/protection.ts";
import { logError } from "#worker/log.ts";
import { retryAt } from "../shared/lifecycle.ts";
import type { AskedRange } from "./lease.ts";
import * as gate from "./state.ts";
import { GateStore, type GateRecord } from "./store.ts";

/** How long a gate is kept after its link has ended, because reports of responses may come late. */
const KEPT_AFTER_END_MS = HOUR_MS;
/** A link may end without a call to its gate, so the gate reads the link's row again after this time. */
const ROW_READ_EVERY_MS = 7 * DAY_MS;

/** A link's row in D1. */
export interface LimitedLink {
  fileId: string;
  /** The size of all files behind the link. */
  sizeBytes: number;
  limit: number;
  used: number;
  /** Epoch milliseconds; null for never. */
  expiresAt: number | null;
}

/**
 * Decides who may download from one link with a download limit, and counts. D1 gets a copy of the counts. The object is
 * named by the download id, and is called only with a signed lease or after D1 knew the link, so guessing ids creates
 * no objects. The object may be evicted at any await, and every call may come twice.
 */
export class DownloadGate extends DurableObject<Env> {
  readonly #store = new GateStore(this.ctx.storage);
  readonly #db = openDatabase(this.env.DB);
  #mirroring: Promise<void> | null = null;
  /** Null while the time of the alarm is unknown. */
  #alarmAt: number | null = null;

  /** @param lease id from the caller's token, or a new id @param link from D1; its limit is used only for a new gate */
  take(lease: string, { fileId, sizeBytes, limit, used, expiresAt }: LimitedLink): gate.GateAnswer {
    const now = Date.now();
    const record =
      this.#store.find() ?? startRecord(gate.startGate({ fileId, sizeBytes, limit, counted: used }, now), now);
    const { link, leases } = record.state;
    const sized = link.sizeBytes === sizeBytes ? link : { ...link, sizeBytes };
    const { state, answer } = gate.take({ link: sized, leases }, lease, now);
    this.#save({ ...record, state, expiresAt, seenAt: now });
    return answer;
  }

  /**
   * Call before bytes are sent. @param begins the link's row in D1 if this call may begin a lease, else null @returns
   * the lease's id for reports
   */
  open(
    id: string,
    asked: AskedRange,
    begins: LimitedLink | null = null,
  ): { ok: true; lease: string } | gate.OpenRefusal | gate.TakeRefusal {
    const taken = begins && this.take(id, begins);
    if (taken && !taken.ok) return taken;
    const lease = taken?.lease ?? id;
    const record = this.#store.find();
    if (!record) return { ok: false, code: "LEASE_NEEDED" };
    const { state, answer } = gate.open(record.state, lease, asked, Date.now());
    this.#save({ ...record, state });
    return answer.ok ? { ok: true, lease } : answer;
  }

  /** Whether a lease still lets its browser see what lies behind the link. Counts and prolongs nothing. */
  holds(lease: string): boolean {
    const record = this.#store.find();
    return record !== null && gate.holds(record.state, lease, Date.now());
  }

  /** Call after a browser has decrypted a whole file. */
  opened(lease: string): gate.OpenAnswer {
    const record = this.#store.find();
    if (!record) return { ok: false, code: "LEASE_NEEDED" };
    const { state, answer } = gate.opened(record.state, lease, Date.now());
    this.#save({ ...record, state });
    return answer;
  }

  /** Call while bytes are sent. @param handedTo exclusive @returns whether the response may go on */
  renew(lease: string, response: string, handedTo: number): boolean {
    const record = this.#store.find();
    // A gate without a record: the owner has removed the link's limit.
    if (!record) return true;
    const { state, answer } = gate.renew(record.state, lease, response, handedTo, Date.now());
    this.#save({ ...record, state });
    return answer;
  }

  /**
   * Call after a response has ended.
   * @param underWayTo the end of the bytes whose sending had begun when the response ended
   */
  ended(lease: string, response: string, handedTo: number, underWayTo: number): void {
    const record = this.#store.find();
    if (!record) return;
    const state = gate.ended(record.state, lease, response, { handedTo, underWayTo }, Date.now());
    this.#save({ ...record, state });
  }

  /**
   * Call before the row's limit is changed. If the limit is removed, D1 has all counts on return.
   * @param limit null for none; call `forget` once the row has none
   * @returns false once the link has closed @throws Error if D1 cannot be written
   */
  async setLimit(limit: number | null): Promise<boolean> {
    const record = this.#store.find();
    // The gate has no lease yet. The first lease will bring the limit from the link's row.
    if (!record) return true;
    if (limit === null) {
      await this.#mirror();
      const current = this.#store.find();
      if (current && isMirrorDue(current)) throw new Error("D1 does not have what this link has counted");
      return true;
    }
    const { state, answer } = gate.setLimit(record.state, limit, Date.now());
    this.#save({ ...record, state });
    return answer;
  }

  /** Call after the row's limit was removed. */
  async forget(): Promise<void> {
    this.#alarmAt = null;
    await this.#store.deleteAll();
  }

  /** The counts that the link's owner sees; null before the first lease. */
  status(): { used: number; running: number; isWaiting: boolean } | null {
    const record = this.#store.find();
    return record && gate.describe(record.state, Date.now());
  }

  /** Forgives the link's interrupted downloads, at its owner's wish, so that other downloads may begin. */
  letGoOn(): void {
    const record = this.#store.find();
    if (record) this.#save({ ...record, state: gate.letGoOn(record.state, Date.now()) });
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    const record = this.#store.find();
    if (!record) return;
    const now = Date.now();
    this.#save({ ...record, state: gate.tidy(record.state, now) });
    await this.#mirror();
    const tidied = this.#store.find();
    if (tidied && !isMirrorDue(tidied) && now >= rowReadAt(tidied)) await this.#readRow(tidied.state.link.fileId, now);
  }

  async #readRow(fileId: string, now: number): Promise<void> {
    try {
      const row = await findLimitedLink(this.#db, fileId);
      const expiresAt = row?.expiresAt?.getTime() ?? null;
      const record = this.#store.find();
      if (!record) return;
      const seen = { ...record, expiresAt, seenAt: now, attempts: 0 };
      if (row === null || now >= rowReadAt(seen)) await this.forget();
      else this.#save(seen);
    } catch (error) {
      logError("gate.row_failed", error, { uploadId: fileId });
      this.#saveFailure();
    }
  }

  /**
   * Writes the counts to D1 until D1 has the current counts. Calls share one run, so that no write overtakes another.
   */
  #mirror(): Promise<void> {
    this.#mirroring ??= this.#sendMirror().finally(() => {
      this.#mirroring = null;
    });
    return this.#mirroring;
  }

  async #sendMirror(): Promise<void> {
    for (let record = this.#store.find(); record && isMirrorDue(record); record = this.#store.find()) {
      const { fileId } = record.state.link;
      const facts = factsOf(record);
      try {
        await mirrorGate(this.#db, fileId, facts);
      } catch (error) {
        logError("gate.mirror_failed", error, { uploadId: fileId });
        this.#saveFailure();
        return;
      }
      // During the write to D1, calls may have changed the record, or the owner may have removed the limit.
      const current = this.#store.find();
      if (current) this.#store.save({ ...current, mirrored: JSON.stringify(facts), attempts: 0 });
    }
  }

  #saveFailure(): void {
    const record = this.#store.find();
    if (!record) return;
    this.#store.save({ ...record, attempts: record.attempts + 1 });
    this.#setAlarm(retryAt({ attempts: record.attempts }, Date.now()));
  }

  #save(record: GateRecord): void {
    this.#store.save(record);
    if (isMirrorDue(record)) this.ctx.waitUntil(this.#mirror());
    this.#setAlarm(nextAlarmAt(record, Date.now()));
  }

  /**
   * Never moves an alarm to a later time: an alarm that rings too early only sets the next one, which costs less than
   * moving the alarm at each call.
   */
  #setAlarm(at: number): void {
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }
}

/** The record of a new gate. The record is marked as mirrored, because D1 already has its counts. */
function startRecord(state: gate.GateState, now: number): GateRecord {
  const record = { state, expiresAt: null, seenAt: now, mirrored: "", attempts: 0 };
  return { ...record, mirrored: JSON.stringify(factsOf(record)) };
}

function factsOf({ state: { link } }: GateRecord): GateFacts {
  return { limit: link.limit, used: link.counted, endedAt: link.endedAt, closedAt: link.closedAt };
}

function isMirrorDue(record: GateRecord): boolean {
  return record.mirrored !== JSON.stringify(factsOf(record));
}

function rowReadAt({ state: { link }, expiresAt, seenAt }: GateRecord): number {
  const endsAt = link.closedAt ?? expiresAt ?? Infinity;
  return Math.min(endsAt + KEPT_AFTER_END_MS, seenAt + ROW_READ_EVERY_MS);
}

function nextAlarmAt(record: GateRecord, now: number): number {
  const readAt = rowReadAt(record);
  const callAt = isMirrorDue(record) || readAt <= now ? retryAt(record, now) : readAt;
  return Math.min(gate.nextTidyAt(record.state) ?? Infinity, callAt);
}
