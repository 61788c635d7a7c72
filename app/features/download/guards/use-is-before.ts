import { useCallback, useSyncExternalStore } from "react";
import { SECOND_MS } from "#domain/units.ts";

/** @param moment epoch milliseconds by this browser's clock @returns false for null, and before hydration */
export function useIsBefore(moment: number | null): boolean {
  const isBefore = useCallback(() => moment !== null && Date.now() < moment, [moment]);
  return useSyncExternalStore(everySecond, isBefore, () => false);
}

function everySecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, SECOND_MS);
  return () => {
    clearInterval(timer);
  };
}
