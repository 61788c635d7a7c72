import type { ContentKeys } from "#domain/seal/keys.ts";
import type { Obstacle } from "../reader/fetch-records.ts";
import type { OpenProblem } from "../reader/open-error.ts";
import type { Content } from "../reader/sources.ts";

/** Below `/download/{id}`: what the service worker answers. */
export const OPENED_PATH = /^\/download\/[^/]+\/open\/([\w-]+)$/;

/** What one address gives. The keys cannot be read out of it. */
export interface StreamOrder {
  keys: ContentKeys;
  content: Content;
  /** A type that viewers may show (`domain/preview.ts`), else `application/octet-stream`. */
  contentType: string;
  /** Absent for a viewer, which asks for ranges. */
  disposition?: string;
}

/** From the page to the service worker. */
export type ToStreamer =
  /** Answered by an empty message on the port. */
  | { type: "keep"; token: string; order: StreamOrder }
  /** Ends what is under way, too. */
  | { type: "drop"; token: string }
  /** Keeps it awake. Answered on the port by the tokens of the downloads that are under way. */
  | { type: "ping" };

/** From the service worker to the page. The first two are answered on their port. */
export type FromStreamer =
  | { type: "order"; token: string }
  | { type: "obstacle"; token: string; obstacle: Obstacle }
  | { type: "progress"; token: string; bytes: number; size: number }
  /** Until the next progress. */
  | { type: "waiting"; token: string }
  | { type: "whole"; token: string }
  | { type: "broken"; token: string; problem: OpenProblem | "stopped" };
