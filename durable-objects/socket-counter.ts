import { DurableObject } from "cloudflare:workers";
import { HOUR_MS } from "#domain/units.ts";

/** What an upload said of its sockets is believed for so long: one that fell silent does not hold places for ever. */
const BELIEVED_MS = HOUR_MS;
const COUNTS = "counts";

/** An upload's open sockets of this subject, and when it last said so (epoch milliseconds). */
type Counts = Record<string, { open: number; at: number }>;

/**
 * Counts the open sockets of one account, or of one visitor's address, over all uploads. Each upload says how many it
 * has whenever that changes, so a message that was lost is mended by the next.
 */
export class SocketCounter extends DurableObject<Env> {
  /**
   * Counts one more socket, if there is room.
   * @param open how many that upload knows of, without the new one
   * @returns whether there was room
   */
  add(uploadId: string, open: number, most: number): boolean {
    const counts = this.#believed();
    // Two that come at once are both unknown to their upload yet.
    const known = Math.max(open, counts[uploadId]?.open ?? 0);
    const elsewhere = Object.entries(counts).reduce((sum, [id, count]) => sum + (id === uploadId ? 0 : count.open), 0);
    if (elsewhere + known >= most) return false;
    this.#save({ ...counts, [uploadId]: { open: known + 1, at: Date.now() } });
    return true;
  }

  /** Notes how many sockets that upload has now. */
  set(uploadId: string, open: number): void {
    const others = Object.entries(this.#believed()).filter(([id]) => id !== uploadId);
    this.#save({ ...Object.fromEntries(others), ...(open > 0 ? { [uploadId]: { open, at: Date.now() } } : {}) });
  }

  override async alarm(): Promise<void> {
    const counts = this.#believed();
    if (Object.keys(counts).length === 0) await this.ctx.storage.deleteAll();
    else this.#save(counts);
  }

  #believed(): Counts {
    const counts = this.ctx.storage.kv.get<Counts>(COUNTS) ?? {};
    const since = Date.now() - BELIEVED_MS;
    return Object.fromEntries(Object.entries(counts).filter(([, { at }]) => at > since));
  }

  #save(counts: Counts): void {
    this.ctx.storage.kv.put(COUNTS, counts);
    void this.ctx.storage.setAlarm(Date.now() + BELIEVED_MS);
  }
}
