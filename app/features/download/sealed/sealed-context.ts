import { createContext, type ReactNode } from "react";
import type { PreviewKind } from "#domain/preview.ts";
import type { SharedKey } from "#domain/wire.ts";
import type { ViewerProps } from "../preview/media.tsx";

/** What the page of an encrypted link does otherwise. */
export interface SealedPage {
  /** The viewer's file is found by its address. */
  renderViewer(kind: PreviewKind, props: ViewerProps): ReactNode;
  /** What opens the transfer for the moderators. */
  sharedKey(): SharedKey;
  /** @param n of the page's list @returns the server's number of what holds this file */
  entryOf(n: number): number | undefined;
}

/** Null on the page of a plain link. */
export const SealedPageContext = createContext<SealedPage | null>(null);
