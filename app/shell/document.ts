import { createContext } from "react";

/** Values that the server's render provides. Empty in the browser. */
export interface DocumentFacts {
  /** Allows inline scripts under the Content-Security-Policy. */
  nonce?: string;
  requestId?: string;
  /** Why the page could not be shown, in the reader's language, where that is known. */
  failure?: string | undefined;
  /** Pins the hashes of the scripts on a sealed link's page. */
  importMap?: string;
  /** Records a person's input until the page's scripts have loaded. */
  earlyScript?: string;
}

export const DocumentContext = createContext<DocumentFacts>({});

/** The browser must render the import map of the server's HTML again, or hydration fails. */
const receivedImportMap =
  typeof document === "undefined" ? null : document.querySelector("script[type=importmap]")?.textContent;

/** @param importMap set on the server only @returns undefined for a document without an import map */
export function importMapOf({ importMap }: DocumentFacts): string | undefined {
  return importMap ?? receivedImportMap ?? undefined;
}
