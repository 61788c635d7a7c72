import { useSyncExternalStore } from "react";
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

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, SECOND_MS);
  return () => {
    clearInterval(timer);
  };
}

function wholeSecond(): number {
  return Math.floor(Date.now() / SECOND_MS) * SECOND_MS;
}
