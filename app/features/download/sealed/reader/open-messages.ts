import type { ContentKeys } from "#domain/seal/keys.ts";
import type { Obstacle } from "./fetch-records.ts";
import type { OpenProblem } from "./open-error.ts";
import type { Content } from "./sources.ts";

/** Where the worker puts the bytes. */
export type Target = { kind: "blob" } | { kind: "stage"; key: string } | { kind: "file"; handle: FileSystemFileHandle };

/** From the page to the worker. */
export type ToOpener =
  | { type: "open"; keys: ContentKeys; content: Content; target: Target }
  /** One answer for each. @param to exclusive */
  | { type: "read"; id: number; from: number; to: number }
  | { type: "prepare"; keys: ContentKeys; content: Content }
  /** Answered by `probed`. */
  | { type: "probe" }
  /** The answer to `obstacle`. */
  | { type: "cleared"; isCleared: boolean }
  | { type: "stop" };

/** From the worker to the page. */
export type FromOpener =
  | { type: "progress"; bytes: number; size: number }
  /** Until the next progress. */
  | { type: "waiting" }
  | { type: "obstacle"; obstacle: Obstacle }
  | { type: "opened"; blob: Blob | null }
  | { type: "stretch"; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: "failed"; id?: number; problem: OpenProblem }
  | { type: "probed"; canStage: boolean }
  | { type: "stopped" };
