import { useRouteLoaderData } from "@remix-run/react";
import type { loadRootData } from "#app/shell/root-data.server.ts";

/** @returns undefined or null when the root loader failed or never ran */
export function useRootData() {
  return useRouteLoaderData<typeof loadRootData>("root");
}
