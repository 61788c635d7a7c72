/**
 * A message about a ready link. `blocked`: the block list has ended it, and its owner is to be told. `scan`: its bytes
 * are to be scanned.
 */
export type LinkCheck =
  | { fileId: string; kind: "blocked" }
  | {
      fileId: string;
      kind: "scan";
      /** The first entry of a transfer that is still to be scanned. */
      from?: number;
      /** Whether an entry before that one was too large. */
      hasUnscanned?: boolean;
    };
