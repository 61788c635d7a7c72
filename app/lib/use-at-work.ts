import { useSyncExternalStore } from "react";
import { isAsking, watchAsking } from "./confirming.ts";

/**
 * For the words of a button whose call may need a confirmation.
 * @param busy the call is not over @returns false while the person is asked to confirm
 */
export function useAtWork(busy: boolean): boolean {
  return useSyncExternalStore(watchAsking, isAsking, () => false) ? false : busy;
}
