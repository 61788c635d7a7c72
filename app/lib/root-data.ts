import { useRouteLoaderData, type MetaDescriptor } from "@remix-run/react";
import type { CurrentUser } from "#domain/wire.ts";
import type { PageMessages } from "./i18n/messages.server.ts";
import type { Theme } from "./preference-cookie.ts";

/** What the root loader returns: every page may read it. */
export interface RootData {
  user: CurrentUser | null;
  /** Null for a page that no search engine lists. */
  head: MetaDescriptor[] | null;
  theme: Theme;
  messages: PageMessages;
  origin: string;
  /** Null on pages that send nothing there, and where the app itself serves storage. */
  storageOrigin: string | null;
  anonymousUploads: boolean;
  /** The release of the deployed files, as /release.json names it. */
  release: string;
  /** The server's clock when it answered, epoch milliseconds. */
  now: number;
}

/** @returns undefined or null when the root loader failed or never ran */
export function useRootData() {
  return useRouteLoaderData<RootData>("root");
}
