import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call, type BodyOf } from "#app/lib/api.ts";

export const requestKeys = {
  requests: ["/api/requests"],
  /** The prefix of the query keys of received transfers, followed by the id of a request, or null for all requests. */
  received: ["/api/received"],
} as const;

export const requestsApi = {
  list: () => call("GET /api/requests"),
  create: (body: BodyOf<"POST /api/requests">) => call("POST /api/requests", { body }),
  change: (id: string, body: BodyOf<"PATCH /api/requests/:id">) =>
    call("PATCH /api/requests/:id", { params: { id }, body }),
  remove: (id: string) => call("DELETE /api/requests/:id", { params: { id } }),
  /** @param fileRequestId null: transfers of all requests @param cursor null: the first page */
  received: (fileRequestId: string | null, cursor: string | null) =>
    call("GET /api/received", { query: { request: fileRequestId ?? undefined, cursor: cursor ?? undefined } }),
  makeLink: (id: string) => call("POST /api/received/:id/link", { params: { id } }),
  refuse: (id: string, body: BodyOf<"POST /api/received/:id/refuse">) =>
    call("POST /api/received/:id/refuse", { params: { id }, body }),
  removeReceived: (id: string) => call("DELETE /api/files/:id", { params: { id } }),
};

/** Refetches requests and received transfers, after a change or when the account's feed tells of a new transfer. */
export function useRefreshRequests(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    const keys = [requestKeys.requests, requestKeys.received];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  }, [queries]);
}
