import { useSyncExternalStore } from "react";

/** Whether this browser has a share sheet of its own. */
export function useCanShare(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => typeof navigator.share === "function",
    () => false,
  );
}

/** Opens the share sheet with a link. Closing it without a choice is nobody's error. */
export async function shareNatively(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}
