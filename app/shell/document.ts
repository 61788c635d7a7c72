import { createContext } from "react";

/** Provided by the server render; empty in the browser. */
export interface DocumentFacts {
  /** Allows inline scripts under the Content-Security-Policy. */
  nonce?: string;
  requestId?: string;
}

export const DocumentContext = createContext<DocumentFacts>({});
