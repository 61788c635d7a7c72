import type { Manifest } from "#domain/seal/manifest.ts";
import type { LinkSecrets } from "./link-keys.ts";

/** What a sender keeps of a sealed link, to show it again and to go on with it. */
export interface KeptLink extends LinkSecrets {
  downloadId: string;
  /** Of the file, which is the upload's too. */
  uploadId: string;
  /** Of whom it was sent by; null for a visitor. */
  userId: string | null;
  manifest: Manifest;
  /** Of the newest manifest that was sent or read here; absent while that is unknown. */
  revision?: number;
  /** The password was changed elsewhere since: the link has to be pasted again before the upload goes on. */
  isOutdated?: boolean;
  /** What was removed of an unfinished transfer: numbers and paths. It is not sent again. */
  removed?: [number, string][] | undefined;
  /** Of the plain files, to find the keys when they are chosen again; "" while unknown, null once all has arrived. */
  fingerprint: string | null;
  /** Epoch milliseconds; null for never, and while it is unknown. */
  expiresAt: number | null;
}
