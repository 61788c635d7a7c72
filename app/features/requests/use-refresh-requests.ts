import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { requestKeys } from "./requests-api.ts";

/**
 * Reads requests and what came through them again: after a change here, and when the account's feed says that something
 * was received.
 */
export function useRefreshRequests(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const keys = [requestKeys.requests, requestKeys.received];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  }, [queries]);
}
