import { useMemo, useSyncExternalStore } from "react";
import { SECOND_MS } from "#domain/units.ts";

/** Epoch milliseconds, updated every second. Null during server rendering and hydration. */
export function useNow(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => toFullSecond(Date.now()),
    () => null,
  );
}

/** False during server rendering and hydration, when the reader's time zone and language are unknown. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}

/**
 * The server's clock, updated every second: the browser's own may be wrong.
 * @param serverNowMs the server's time when it answered, epoch milliseconds
 */
export function useServerNow(serverNowMs: number): number {
  const clock = useMemo(() => new ServerClock(serverNowMs), [serverNowMs]);
  return useSyncExternalStore(
    subscribe,
    () => clock.now(),
    () => toFullSecond(serverNowMs),
  );
}

class ServerClock {
  readonly #offsetMs: number;

  constructor(serverNowMs: number) {
    this.#offsetMs = serverNowMs - Date.now();
  }

  now(): number {
    return toFullSecond(Date.now() + this.#offsetMs);
  }
}

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, SECOND_MS);
  return () => {
    clearInterval(timer);
  };
}

function toFullSecond(epochMs: number): number {
  return Math.floor(epochMs / SECOND_MS) * SECOND_MS;
}
