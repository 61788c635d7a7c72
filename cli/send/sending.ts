import type { DirectPorts, TransferPorts } from "#engine/ports.ts";
import type { UploadOptions } from "#engine/upload-types.ts";
import { EXIT, Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import type { Unfinished } from "./unfinished.ts";

/** What standard output tells of a finished upload. */
export interface SentLink {
  id: string;
  link: string;
  name: string;
  size: number;
  expiresAt: string | null;
  entries?: number;
}

/** What both kinds of upload are sent with. */
export interface Sending {
  ports: DirectPorts & TransferPorts;
  options: UploadOptions;
  terminal: Terminal;
  /** Of the same paths. */
  unfinished: Unfinished;
  /** Does not go on with it. */
  fresh: boolean;
}

/** @param what changed, as the person knows it */
export function changed(what: string): Failure {
  return new Failure(EXIT.changed, `${what} changed since its upload began. --fresh sends everything anew.`);
}
