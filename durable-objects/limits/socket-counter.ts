import { DurableObject } from "cloudflare:workers";
import { HOUR_MS } from "#domain/units.ts";

/** How long a count lasts without a report, so that a crashed upload does not count for ever. */
const COUNT_TTL_MS = HOUR_MS;
const COUNTS = "counts";

/** Open sockets by upload id. `at`: the last report, in epoch milliseconds. */
type Counts = Record<string, { open: number; at: number }>;

/**
 * Counts the sockets of one account or IP address. Each upload reports its total, so its next report corrects a lost
 * report.
 */
export class SocketCounter extends DurableObject<Env> {
  /** @param open the number of the upload's other open sockets @returns whether the limit allows one more */
  add(uploadId: string, open: number, max: number): boolean {
    const counts = this.#currentCounts();
    // When two sockets open at once, the stored count is higher than the count that the upload reports.
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
