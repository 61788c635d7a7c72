import { useRouteLoaderData, type MetaDescriptor } from "@remix-run/react";
import type { CurrentUser } from "#domain/wire.ts";
import type { PageMessages } from "./i18n/messages.server.ts";
import type { Theme } from "./preference-cookie.ts";

/** The root loader's data, which every page may read. */
export interface RootData {
  user: CurrentUser | null;
  /** Null for a page that search engines must not index. */
  head: MetaDescriptor[] | null;
  theme: Theme;
  messages: PageMessages;
  origin: string;
  /** The origins of storage. Empty on pages that send nothing to storage, and where the Worker serves storage itself. */
  storageOrigins: string[];
  anonymousUploads: boolean;
  /** The release of the deployed files, as in /release.json. */
  release: string;
  /** The server's clock at the time of its answer, in epoch milliseconds. */
  now: number;
}

/** @returns undefined or null when the root loader failed or never ran */
export function useRootData() {
  return useRouteLoaderData<RootData>("root");
}
