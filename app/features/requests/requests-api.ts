import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call, type BodyOf } from "#app/lib/api.ts";

export const requestKeys = {
  requests: ["/api/requests"],
  /** Followed by the id of a request, or null for all. */
  received: ["/api/received"],
} as const;

export const requestsApi = {
  list: () => call("GET /api/requests"),
  create: (body: BodyOf<"POST /api/requests">) => call("POST /api/requests", { body }),
  change: (id: string, body: BodyOf<"PATCH /api/requests/:id">) =>
    call("PATCH /api/requests/:id", { params: { id }, body }),
  remove: (id: string) => call("DELETE /api/requests/:id", { params: { id } }),
  /** @param fileRequestId null for those of every request @param cursor null for the first page */
  received: (fileRequestId: string | null, cursor: string | null) =>
    call("GET /api/received", { query: { request: fileRequestId ?? undefined, cursor: cursor ?? undefined } }),
  makeLink: (id: string) => call("POST /api/received/:id/link", { params: { id } }),
  refuse: (id: string, body: BodyOf<"POST /api/received/:id/refuse">) =>
    call("POST /api/received/:id/refuse", { params: { id }, body }),
  removeReceived: (id: string) => call("DELETE /api/files/:id", { params: { id } }),
};

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
