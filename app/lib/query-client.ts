import { QueryClient } from "@tanstack/react-query";

/** The defaults are specified (decision 024); a query may override them. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: false },
      // By default a change that is made offline waits in silence, and happens when nobody expects it any more.
      mutations: { networkMode: "always" },
    },
  });
}
