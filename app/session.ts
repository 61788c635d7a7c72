import { useQuery } from "@tanstack/react-query";
import { useRouteLoaderData } from "@remix-run/react";
import type { CurrentUser } from "#domain/wire.ts";
import type { loader } from "./root.tsx";
import { api, queryKeys } from "./api.ts";

/** Who is signed in: what the document said at first, then what the server says. */
export function useCurrentUser(): CurrentUser | null {
  const root = useRouteLoaderData<typeof loader>("root");
  const { data } = useQuery({ queryKey: queryKeys.me, queryFn: api.me, initialData: root?.user ?? null });
  return data;
}
