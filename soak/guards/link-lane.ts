import { setTimeout as wait } from "node:timers/promises";
import { MINUTE_MS } from "#domain/units.ts";
import type { Client } from "../client.ts";
import { LossError } from "../soaked-upload.ts";
import type { GuardCounts } from "./counts.ts";
import type { StoredGate } from "./gate-files.ts";
import { GuardedLink } from "./guarded-link.ts";
import { Visit } from "./visit.ts";

const RECIPIENTS_AT_ONCE = 5;
const RECIPIENTS_OF_A_LINK = 40;
const OWNER_LOOKS_EVERY_MS = 150;
const MAX_PROBLEMS = 20;
/** The part of the hour after a finished file that a clock may skip, so that the recipient can still go on. */
const ENOUGH_OF_AN_HOUR_MS = 40 * MINUTE_MS;

/** Makes one link after another, each with its owner and several recipients at a time. */
export class LinkLane {
  readonly #client: Client;
  readonly #origin: string;
  readonly #seed: string;
  readonly #counts: GuardCounts;
  readonly #problems: string[];
  readonly #links: { link: GuardedLink; visits: Visit[] }[] = [];
  /** Visits that are under way, or asleep until the next kill. */
  readonly #waiting: Visit[] = [];
  #isEnding = false;

  constructor(client: Client, origin: string, seed: string, counts: GuardCounts, problems: string[]) {
    this.#client = client;
    this.#origin = origin;
    this.#seed = seed;
    this.#counts = counts;
    this.#problems = problems;
  }

  get links(): GuardedLink[] {
    return this.#links.map(({ link }) => link);
  }

  /** Works until the server is killed. Failures before the kill are problems, interrupted calls are not. */
  async work(isKilled: () => boolean): Promise<void> {
    do {
      if (this.#isFull() && !this.#isEnding) await this.#guard(isKilled, () => this.#begin());
      let isVisited = false;
      const owning = this.#own(() => isKilled() || isVisited, isKilled);
      await Promise.all(Array.from({ length: RECIPIENTS_AT_ONCE }, () => this.#visit(isKilled)));
      isVisited = true;
      await owning;
    } while (!isKilled() && !this.#isEnding);
  }

  /** Waits for the visits that are under way, and begins no new visit. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    while (this.#waiting.length > 0) {
      this.wake();
      await this.work(() => false);
    }
    for (const { link } of this.#links) {
      if (!link.isOver)
        await this.#guard(
          () => false,
          () => link.look(),
        );
    }
  }

  /** Wakes the sleeping visits after a kill. */
  wake(): void {
    for (const visit of this.#waiting) visit.isAsleep = false;
  }

  /**
   * Checks the stored gates while the runtime is down.
   * @returns for each link how far its clock may be moved, in milliseconds, before the hour runs out for a recipient
   * that was counted and still reads
   */
  checkStored(gates: ReadonlyMap<string, StoredGate>): Map<string, number> {
    const pauses = new Map<string, number>();
    for (const { link, visits } of this.#links) {
      const gate = gates.get(link.downloadId);
      if (!gate) continue;
      this.#record(() => {
        link.checkStored(gate);
      });
      const byLease = new Map(visits.map((visit) => [visit.leaseId, visit]));
      let longestMs = Infinity;
      for (const { id, standing, isReading, finishedAt } of gate.leases) {
        const visit = byLease.get(id);
        if (visit && isReading) visit.isReportLost = true;
        if (standing !== "counted") continue;
        if (!visit?.hasAskedForAll) this.#problems.push(`${link.downloadId}: ${id} was counted without the bytes`);
        else if (!visit.isOver) longestMs = Math.min(longestMs, (finishedAt ?? 0) + ENOUGH_OF_AN_HOUR_MS - Date.now());
      }
      pauses.set(link.downloadId, longestMs);
    }
    return pauses;
  }

  /** Restarts the visits of these links, because their gates have forgotten all leases that had not finished. */
  forget(downloadIds: ReadonlySet<string>): void {
    for (const visit of this.#waiting) if (downloadIds.has(visit.downloadId)) visit.forget();
  }

  /** Checks at the end that every counted recipient has the bytes. */
  checkFinished(): void {
    for (const { link, visits } of this.#links) {
      const whole = new Set(visits.filter(({ isWhole }) => isWhole).map(({ leaseId }) => leaseId));
      const others = [...link.counted].filter((id) => !whole.has(id));
      this.#problems.push(...others.map((id) => `${link.downloadId}: ${id} was counted and never had the file`));
    }
  }

  #isFull(): boolean {
    const latest = this.#links.at(-1);
    return !latest || latest.link.isOver || latest.visits.length >= RECIPIENTS_OF_A_LINK;
  }

  async #begin(): Promise<void> {
    const seed = `${this.#seed}-${this.#links.length}`;
    const link = await GuardedLink.create(this.#client, this.#origin, seed, this.#counts);
    link.tokensOfAnother = this.#links.at(-1)?.link.tokens ?? {};
    this.#links.push({ link, visits: [] });
  }

  async #own(isOver: () => boolean, isKilled: () => boolean): Promise<void> {
    const link = this.#links.at(-1)?.link;
    while (link && !link.isOver && !isOver()) {
      await this.#guard(isKilled, () => link.look());
      await wait(OWNER_LOOKS_EVERY_MS);
    }
  }

  async #visit(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) {
      const visit = this.#next();
      if (!visit) return;
      const isSound = await this.#guard(isKilled, () => visit.run());
      if (isSound && !visit.isOver) this.#waiting.push(visit);
    }
  }

  #next(): Visit | null {
    const index = this.#waiting.findIndex(({ isAsleep }) => !isAsleep);
    const [awake] = index < 0 ? [] : this.#waiting.splice(index, 1);
    if (awake) return awake;
    const latest = this.#links.at(-1);
    if (!latest || this.#isEnding || this.#isFull()) return null;
    const visit = new Visit(latest.link, `${this.#seed}-${this.#links.length}-${latest.visits.length}`, this.#counts);
    latest.visits.push(visit);
    return visit;
  }

  /** @returns false for a problem */
  async #guard(isKilled: () => boolean, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof LossError) && isKilled()) return true;
      this.#problem(error);
      return false;
    }
  }

  #record(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#problem(error);
    }
  }

  #problem(error: unknown): void {
    const problem = String(error);
    this.#problems.push(problem);
    console.error(problem);
    if (this.#problems.length > MAX_PROBLEMS) throw new Error(this.#problems.join("\n"));
  }
}
