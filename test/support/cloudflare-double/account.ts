import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/** What one account at Cloudflare holds, as far as deploying touches it. */
export interface Account {
  id: string;
  /** Databases by their uuid; each is a real SQLite. */
  databases: Map<string, { name: string; sqlite: DatabaseSync }>;
  buckets: Map<string, Bucket>;
  workers: Map<string, Worker>;
  /** Assets that have been uploaded, by their hash. */
  assets: Set<string>;
}

export interface Bucket {
  cors: object[];
  lifecycle: { id: string }[];
}

export interface Worker {
  /** Secrets by name. */
  secrets: Map<string, string>;
  /** Of every version that was deployed, in order; a Worker that only keeps secrets has none. */
  deployed: WorkerMetadata[];
  migrationTag: string | null;
  crons: string[];
  domains: string[];
  workersDev: boolean;
}

/** The part of an upload's `metadata` that is looked at. */
export interface WorkerMetadata {
  main_module?: string;
  compatibility_date?: string;
  compatibility_flags?: string[];
  bindings: Binding[];
  keep_bindings?: string[];
  migrations?: { old_tag?: string; new_tag: string; steps: { new_sqlite_classes?: string[] }[] };
  assets?: { jwt: string };
}

export interface Binding {
  name: string;
  type: string;
  [field: string]: unknown;
}

/** A new account with nothing in it, but for what R2 gives every new bucket once there is one. */
export function newAccount(): Account {
  return {
    id: randomUUID().replaceAll("-", ""),
    databases: new Map(),
    buckets: new Map(),
    workers: new Map(),
    assets: new Set(),
  };
}

export function newWorker(): Worker {
  return { secrets: new Map(), deployed: [], migrationTag: null, crons: [], domains: [], workersDev: false };
}

/** R2 aborts what is incomplete after a week in every new bucket, by a rule that its owner may change. */
export function newBucket(): Bucket {
  const rule = {
    id: "Default Multipart Abort Rule",
    enabled: true,
    conditions: { prefix: "" },
    abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: 604_800 } },
  };
  return { cors: [], lifecycle: [rule] };
}

/** An answer of the API that is no success: its HTTP status, and its code and message as Cloudflare has them. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  /** Whether the request should never have been sent. */
  readonly isFault: boolean;

  constructor(status: number, code: number, message: string, isFault = false) {
    super(message);
    this.status = status;
    this.code = code;
    this.isFault = isFault;
  }
}

/** @throws Refusal where there is no such thing */
export function found<Thing>(thing: Thing | undefined, code: number, message: string): Thing {
  if (thing === undefined) throw new Refusal(404, code, message);
  return thing;
}
