import { useSyncExternalStore } from "react";

/** Whether this browser has a share sheet of its own. */
export function useCanShare(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => typeof navigator.share === "function",
    () => false,
  );
}
