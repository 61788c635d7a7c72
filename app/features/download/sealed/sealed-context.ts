import { createContext, type ReactNode } from "react";
import type { PreviewKind } from "#domain/preview.ts";
import type { PictureFacts } from "#domain/seal/pictures.ts";
import type { SharedKey } from "#domain/wire.ts";
import type { RenderViewer, ViewerProps } from "../preview/media.tsx";

/** The functions that the page of a sealed link has in place of a plain link's. */
export interface SealedPage {
  /** Renders a viewer of the decrypted file that `props.url` names. @param render default: the viewer for the kind */
  renderViewer(kind: PreviewKind, props: ViewerProps, render?: RenderViewer): ReactNode;
  /** @param stream whose first file has the picture @returns null if the facts are not what the sender encrypted */
  openAbout(stream: number, about: string): Promise<PictureFacts | null>;
  /**
   * Fetches and decrypts a tile or view. @param url as of a plain link's
   * @returns null if there is none, or if it is not what the sender encrypted
   */
  openPicture(url: string, signal: AbortSignal): Promise<Blob | null>;
  /** Decrypts the file that `url` names, as a whole. @throws OpenError */
  openFile(url: string): Promise<Uint8Array<ArrayBuffer>>;
  /** @returns the key and password that open the link, for a report to the moderators */
  sharedKey(): SharedKey;
  /** @param n the file's number in the page's list @returns the number of the server's entry that holds the file */
  entryOf(n: number): number | undefined;
}

/** Null on the page of a plain link. */
export const SealedPageContext = createContext<SealedPage | null>(null);
