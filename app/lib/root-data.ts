import { useRouteLoaderData } from "@remix-run/react";
import type { loadRootData } from "#app/shell/root-data.server.ts";

/** @returns undefined when the root loader failed */
export function useRootData() {
  return useRouteLoaderData<typeof loadRootData>("root");
}
