import { QueryClient } from "@tanstack/react-query";

/** The defaults are specified (decision 024); a query may override them. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: false },
      // The default network mode would hold back a change made offline and make it unexpectedly once online.
      mutations: { networkMode: "always" },
    },
  });
}
