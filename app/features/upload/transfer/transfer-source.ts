import type { UnfinishedUpload } from "#domain/wire.ts";
import type { DroppedItem } from "./dropped-items.ts";

export interface TransferSource {
  items: readonly DroppedItem[];
  /** Shows the list first, however few files there are. */
  needsConsent?: boolean;
  /** Goes on with this unfinished transfer. */
  unfinished?: UnfinishedUpload;
}

/** What adding files to a running transfer came to. */
export interface AddResult {
  added: number;
  alreadyThere: number;
}
