/**
 * A message about a ready link. `blocked`: the block list has ended it, and its owner is to be told. `scan`: its bytes
 * are to be scanned.
 */
export interface LinkCheck {
  fileId: string;
  kind: "blocked" | "scan";
}
