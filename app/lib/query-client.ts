import { QueryClient } from "@tanstack/react-query";

/** What the page has asked for: never stale, no refetch on focus, no retries, except where a query says otherwise (specification 1 section 9). */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: false } },
  });
}
