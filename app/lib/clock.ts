import { useMemo, useSyncExternalStore } from "react";
import { SECOND_MS } from "#domain/units.ts";

/** The browser's clock, epoch milliseconds, ticking each second; null until the page is alive. */
export function useNow(): number | null {
  return useSyncExternalStore(subscribe, wholeSecond, () => null);
}

/** Whether the page is alive: only then are the reader's time zone and language known. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}

/**
 * The server's clock, epoch milliseconds, ticking each second: the browser's own may be set wrong. Until the page is alive
 * it is what the server said, so that both draw the same.
 * @param saidMs what the server's clock said when it answered
 */
export function useServerNow(saidMs: number): number {
  const clock = useMemo(() => new ServerClock(saidMs), [saidMs]);
  return useSyncExternalStore(
    subscribe,
    () => clock.now(),
    () => toWholeSecond(saidMs),
  );
}

class ServerClock {
  readonly #aheadMs: number;

  constructor(saidMs: number) {
    this.#aheadMs = saidMs - Date.now();
  }

  now(): number {
    return toWholeSecond(Date.now() + this.#aheadMs);
  }
}

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, SECOND_MS);
  return () => {
    clearInterval(timer);
  };
}

function wholeSecond(): number {
  return toWholeSecond(Date.now());
}

function toWholeSecond(epochMs: number): number {
  return Math.floor(epochMs / SECOND_MS) * SECOND_MS;
}
