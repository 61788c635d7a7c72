import { useSyncExternalStore } from "react";

/** Whether the browser supports the Web Share API. */
export function useCanShare(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => typeof navigator.share === "function",
    () => false,
  );
}

/** Ignores the error that closing the share sheet causes. */
export async function shareNatively(title: string, url: string): Promise<void> {
  await navigator.share({ title, url }).catch(() => undefined);
}
