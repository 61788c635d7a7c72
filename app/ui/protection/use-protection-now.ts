import { useQuery } from "@tanstack/react-query";
import { call, queryKeys } from "#app/lib/api.ts";
import { SECOND_MS } from "#domain/units.ts";

const READ_AGAIN_MS = 15 * SECOND_MS;

/**
 * The protection of an own link, with what its gate knows.
 * @param id of the file or transfer
 * @param again reads them again and again: others download meanwhile
 */
export function useProtectionNow(id: string, { again }: { again: boolean }) {
  return useQuery({
    queryKey: [...queryKeys.guards, id],
    queryFn: () => call("GET /api/files/:id/guards", { params: { id } }),
    refetchOnMount: "always",
    refetchInterval: again && READ_AGAIN_MS,
  });
}
