import { DurableObject } from "cloudflare:workers";
import { HOUR_MS } from "#domain/units.ts";

/** An upload's count expires after this time, so an upload that crashed does not block its owner's sockets forever. */
const COUNT_TTL_MS = HOUR_MS;
const COUNTS = "counts";

/** Open sockets by upload id; `at` is the time of the last report, epoch milliseconds. */
type Counts = Record<string, { open: number; at: number }>;

/**
 * Counts the open sockets of one account, or of one visitor's address, over all uploads. Each upload reports its total
 * on every change, so the next report corrects a lost one.
 */
export class SocketCounter extends DurableObject<Env> {
  /** @param open the sockets that this upload already has @returns whether the limit allows one more */
  add(uploadId: string, open: number, max: number): boolean {
    const counts = this.#currentCounts();
    // Of two sockets that open at once, the upload knows neither: the stored count is higher than its own.
    const ofUpload = Math.max(open, counts[uploadId]?.open ?? 0);
    const elsewhere = Object.entries(counts).reduce((sum, [id, count]) => sum + (id === uploadId ? 0 : count.open), 0);
    if (elsewhere + ofUpload >= max) return false;
    this.#save({ ...counts, [uploadId]: { open: ofUpload + 1, at: Date.now() } });
    return true;
  }

  set(uploadId: string, open: number): void {
    const { [uploadId]: _previous, ...others } = this.#currentCounts();
    this.#save(open > 0 ? { ...others, [uploadId]: { open, at: Date.now() } } : others);
  }

  override async alarm(): Promise<void> {
    const counts = this.#currentCounts();
    if (Object.keys(counts).length === 0) await this.ctx.storage.deleteAll();
    else this.#save(counts);
  }

  #currentCounts(): Counts {
    const counts = this.ctx.storage.kv.get<Counts>(COUNTS) ?? {};
    const oldest = Date.now() - COUNT_TTL_MS;
    return Object.fromEntries(Object.entries(counts).filter(([, { at }]) => at > oldest));
  }

  #save(counts: Counts): void {
    this.ctx.storage.kv.put(COUNTS, counts);
    void this.ctx.storage.setAlarm(Date.now() + COUNT_TTL_MS);
  }
}
