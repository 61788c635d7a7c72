import { createContext } from "react";

/** Provided by the server render; empty in the browser. */
export interface DocumentFacts {
  /** Allows inline scripts under the Content-Security-Policy. */
  nonce?: string;
  requestId?: string;
  /** Pins the scripts of an encrypted link's page. */
  importMap?: string;
  /** Notes what is pressed before the page's scripts have come. */
  earlyScript?: string;
}

export const DocumentContext = createContext<DocumentFacts>({});

/** Hydration expects the element that the server has rendered. */
const receivedImportMap =
  typeof document === "undefined" ? null : document.querySelector("script[type=importmap]")?.textContent;

/** @param importMap in the server render @returns undefined for a document without one */
export function importMapOf({ importMap }: DocumentFacts): string | undefined {
  return importMap ?? receivedImportMap ?? undefined;
}
