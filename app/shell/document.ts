import { createContext } from "react";

/** What the server says of the document it is making. Empty in the browser, which has the document already. */
export interface DocumentFacts {
  /** What inline scripts carry, so that they run. */
  nonce?: string;
  /** Names the request, for whoever asks us why it failed. */
  requestId?: string;
}

export const DocumentContext = createContext<DocumentFacts>({});
