import { useQuery } from "@tanstack/react-query";
import { call, queryKeys } from "#app/lib/api.ts";
import { SECOND_MS } from "#domain/units.ts";

const READ_AGAIN_MS = 15 * SECOND_MS;

/**
 * Reads a link's protection, with its gate's counts. @param id of the file or transfer @param again polls the counts
 */
export function useProtectionNow(id: string, { again }: { again: boolean }) {
  return useQuery({
    queryKey: [...queryKeys.guards, id],
    queryFn: () => call("GET /api/files/:id/guards", { params: { id } }),
    refetchOnMount: "always",
    refetchInterval: again && READ_AGAIN_MS,
  });
}
