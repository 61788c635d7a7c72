import { createContext, type ReactNode } from "react";
import type { PreviewKind } from "#domain/preview.ts";
import type { SharedKey } from "#domain/wire.ts";
import type { ViewerProps } from "../preview/media.tsx";

/** The functions that the page of a sealed link has in place of a plain link's. */
export interface SealedPage {
  /** Renders a viewer of the decrypted file that `props.url` names. */
  renderViewer(kind: PreviewKind, props: ViewerProps): ReactNode;
  /** @returns the key and password that open the link, for a report to the moderators */
  sharedKey(): SharedKey;
  /** @param n the file's number in the page's list @returns the number of the server's entry that holds the file */
  entryOf(n: number): number | undefined;
}

/** Null on the page of a plain link. */
export const SealedPageContext = createContext<SealedPage | null>(null);
