import { useSyncExternalStore } from "react";
import { SECOND_MS } from "#domain/units.ts";
import { useRootData } from "./root-data.ts";

/** Epoch milliseconds, updated every second. Null during server rendering and hydration. */
export function useNow(): number | null {
  return useSyncExternalStore(
    everySecond,
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

/** Epoch milliseconds of the server's clock, updated every second, because the browser's clock may be wrong. */
export function useServerNow(): number {
  const serverNowMs = useRootData()?.now ?? 0;
  const aheadMs = useServerAhead();
  return useSyncExternalStore(
    everySecond,
    () => toFullSecond(Date.now() + aheadMs),
    () => toFullSecond(serverNowMs),
  );
}

/** Milliseconds by which the server's clock is ahead of the browser's. Times in answers are of the server's clock. */
export function useServerAhead(): number {
  const serverNowMs = useRootData()?.now;
  // Without root data only an error page is shown, and error pages show no times.
  return serverNowMs === undefined ? 0 : compareClocks(serverNowMs);
}

/** The last comparison of both clocks. `App` compares right after the answer, so that no delay falsifies `aheadMs`. */
let compared = { serverNowMs: 0, aheadMs: 0 };

function compareClocks(serverNowMs: number): number {
  if (compared.serverNowMs !== serverNowMs) compared = { serverNowMs, aheadMs: serverNowMs - Date.now() };
  return compared.aheadMs;
}

/** @returns a function that ends the calls of `onTick` */
export function everySecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, SECOND_MS);
  return () => clearInterval(timer);
}

function toFullSecond(epochMs: number): number {
  return Math.floor(epochMs / SECOND_MS) * SECOND_MS;
}
