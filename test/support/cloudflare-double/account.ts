import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

/** The parts of a Cloudflare account that a deployment uses. */
export interface Account {
  id: string;
  /** By uuid; each is a real SQLite database. */
  databases: Map<string, { name: string; sqlite: DatabaseSync; place: Place }>;
  buckets: Map<string, Bucket>;
  /** By id. */
  queues: Map<string, Queue>;
  workers: Map<string, Worker>;
  /** The uploaded assets by Cloudflare's hash. */
  assets: Map<string, Uint8Array>;
  /** What the last upload of assets was for: hashes by path. */
  manifest: Record<string, string>;
  zone: Zone;
}

/** The only one of the account. */
interface Zone {
  name: string;
  /** Whether the token may change it. */
  isOpen: boolean;
  /** Configuration rules; null until there are some. */
  rules: { description: string; expression: string; action: string; action_parameters: object }[] | null;
}

/** Where something was made, for good. */
export interface Place {
  /** A location hint. */
  location?: string | undefined;
  jurisdiction?: string | undefined;
}

export interface Bucket {
  place: Place;
  cors: object[];
  lifecycle: { id: string }[];
}

export interface Queue {
  name: string;
  place: Place;
  /** The Worker that handles its messages; null for none. */
  consumer: { id: string; script: string; deadLetters?: string | undefined; settings: object } | null;
}

export interface Worker {
  /** Secrets by name. */
  secrets: Map<string, string>;
  /** One entry for each deployed version, oldest first. Empty for a Worker that has only secrets. */
  deployed: WorkerMetadata[];
  /** The files that the last version serves: hashes by path. */
  files: Record<string, string>;
  migrationTag: string | null;
  crons: string[];
  domains: string[];
  workersDev: boolean;
}

/** The checked part of an upload's `metadata`. */
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

export function newAccount(): Account {
  return {
    id: randomUUID().replaceAll("-", ""),
    databases: new Map(),
    buckets: new Map(),
    queues: new Map(),
    workers: new Map(),
    assets: new Map(),
    manifest: {},
    zone: { name: "example.com", isOpen: true, rules: null },
  };
}

export function newWorker(): Worker {
  return { secrets: new Map(), deployed: [], files: {}, migrationTag: null, crons: [], domains: [], workersDev: false };
}

/** R2 adds this rule to every new bucket: it aborts unfinished uploads after a week. */
export function newBucket(place: Place): Bucket {
  const rule = {
    id: "Default Multipart Abort Rule",
    enabled: true,
    conditions: { prefix: "" },
    abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: 604_800 } },
  };
  return { place, cors: [], lifecycle: [rule] };
}

/** An error of the API, with Cloudflare's code and message. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  /** Whether a correct client never sends the request. */
  readonly isFault: boolean;

  constructor(status: number, code: number, message: string, isFault = false) {
    super(message);
    this.status = status;
    this.code = code;
    this.isFault = isFault;
  }
}

/** @throws Refusal 404 if it is undefined */
export function found<Thing>(thing: Thing | undefined, code: number, message: string): Thing {
  if (thing === undefined) throw new Refusal(404, code, message);
  return thing;
}
