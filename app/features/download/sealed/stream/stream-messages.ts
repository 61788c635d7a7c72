import type { ContentKeys } from "#domain/seal/keys.ts";
import type { WaitedFor, Obstacle } from "../reader/fetch-records.ts";
import type { OpenProblem } from "../reader/open-error.ts";
import type { Content } from "../reader/sources.ts";

/** The path, below `/download/{id}`, that the service worker answers. */
export const OPENED_PATH = /^\/download\/[^/]+\/open\/([\w-]+)$/;

/** The file or ZIP behind one URL of the service worker. Its keys cannot be exported. */
export interface StreamOrder {
  keys: ContentKeys;
  content: Content;
  /** A type that viewers may show (`domain/preview.ts`), else `application/octet-stream`. */
  contentType: string;
  /** Absent for a viewer, which requests ranges. */
  disposition?: string;
}

/** A message from the page to the service worker. */
export type ToStreamer =
  /** The service worker answers with an empty message on the port. */
  | { type: "keep"; token: string; order: StreamOrder }
  /** Also aborts a running download of this token. */
  | { type: "drop"; token: string }
  /** Keeps the service worker awake. It answers on the port with the tokens of the downloads under way. */
  | { type: "ping" };

/** A message from the service worker to the page, which answers `order`, `obstacle` and `ended` on the message's port. */
export type FromStreamer =
  | { type: "order"; token: string }
  | { type: "obstacle"; token: string; obstacle: Obstacle }
  | { type: "progress"; token: string; bytes: number; size: number }
  /** No bytes arrive until the next `progress`. */
  | { type: "waiting"; token: string; awaited: WaitedFor }
  /** All bytes of a file that was followed have arrived. The page answers with the SHA-256 of the sender's final list. */
  | { type: "ended"; token: string }
  | { type: "whole"; token: string }
  | { type: "broken"; token: string; problem: OpenProblem | "stopped" };
