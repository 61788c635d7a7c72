import type { Calls, ChunkCalls } from "./calls.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";
import type { KeptLink, HashPassword } from "./sealing/link-keys.ts";
import type { SealAnswer, SealRequest } from "./sealing/seal-messages.ts";
import type { PutRoute } from "./upload-types.ts";

/**
 * What every upload needs of the place where it runs. Files are `File`s and stretches of them `Blob`s, which browsers
 * and Node have.
 */
export interface Ports {
  calls: Calls;
  online: Online;
  /** Tells programmers why something is tried again. */
  warn(message: string): void;
  /** Runs a function that calls `import()`. */
  load<Module>(load: () => Promise<Module>): Promise<Module>;
  sealing(): Promise<SealingPorts>;
  startReading: StartThread<ReadRequest, ReadAnswer>;
  /**
   * Tells whether a file has changed between two calls, as far as can be told without reading all of it.
   * @returns null where nothing tells it @throws when the file cannot be read
   */
  versionOf(file: File): Promise<string | null>;
}

/** For a single file that is sent in parts. */
export interface DirectPorts extends Ports {
  put: Put;
  live: Live;
}

/** For a single file that is sent in chunks. */
export interface ChunkPorts extends Ports {
  calls: ChunkCalls;
  postChunk: PostChunk;
}

/** For many files. */
export interface TransferPorts extends Ports {
  put: Put;
  /** Null where nobody may watch: the sender learns everything from answers then. */
  live: Live | null;
  removals: RemovalStore;
}

/** For what is encrypted. */
export interface SealingPorts {
  startSealing: StartThread<SealRequest, SealAnswer>;
  hashPassword: HashPassword;
  links: LinkStore;
}

/** Whether there is a network. */
export interface Online {
  isOnline(): boolean;
  /** Resolves once there is one. @throws DOMException AbortError when aborted */
  whenOnline(signal: AbortSignal): Promise<void>;
  /** What `whenOnline` waits for, as warnings say it, such as "the browser is online". */
  readonly awaited: string;
}

interface PutOptions {
  transport: PutRoute;
  contentType: string;
  signal: AbortSignal;
  onProgress(sentBytes: number): void;
}

export interface PutResponse {
  /** The ETag of the object or part; "" if storage does not expose it. */
  etag: string;
  text: string;
}

/** Makes one PUT with a fixed length. @throws TransportError (as `engine/put.ts` makes it); DOMException AbortError when aborted */
export type Put = (url: string, body: Blob, options: PutOptions) => Promise<PutResponse>;

export interface ChunkRequest {
  uploadId: string;
  /** From 0. */
  index: number;
  total: number;
  chunk: Blob;
  /** The mark of a sealed chunk. */
  mark?: string | undefined;
  signal: AbortSignal;
  onProgress(sentBytes: number): void;
}

/** Sends one chunk. @throws TransportError; DOMException AbortError when aborted */
type PostChunk = (request: ChunkRequest) => Promise<void>;

/** What happens on a connection to an upload's socket. */
interface ConnectionEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  /** Called when the connection has closed, and when an attempt to connect has failed. */
  onClose(): void;
}

/** What the engine uses of a WebSocket. */
export interface LiveConnection {
  readonly readyState: number;
  send(text: string): void;
  close(code: number): void;
}

/** Opens a connection to the socket of an upload. @throws when the attempt cannot be made */
export type Live = (downloadId: string, events: ConnectionEvents) => LiveConnection;

/** Answers requests in their order: in a browser a thread of its own. */
export interface Thread<Request, Answer> {
  /** @throws UploadError if it has ended by itself; DOMException AbortError once it is stopped */
  ask(request: Request): Promise<Answer>;
  stop(): void;
}

/** @throws TypeError if it cannot be started now; DOMException AbortError when aborted */
type StartThread<Request, Answer> = (signal: AbortSignal) => Promise<Thread<Request, Answer>>;

/** A hash of bytes that come one after the other. */
export interface Hasher {
  /** Begins anew. */
  init(): Hasher;
  update(bytes: Uint8Array): Hasher;
  digest(encoding: "hex"): string;
}

/** What sums bytes. */
export interface Hashers {
  sha256(): Promise<Hasher>;
  crc32(): Promise<Hasher>;
}

/** Remembers removed entries that the server has not removed yet, by upload. */
export interface RemovalStore {
  read(uploadId: string): number[];
  write(uploadId: string, numbers: readonly number[]): void;
}

/** The sealed links whose keys are kept here. Nothing is thrown where none can be kept. */
interface LinkStore {
  /** @returns null for a link that is not kept here */
  find(downloadId: string): Promise<KeptLink | null>;
  /** The link of an unfinished upload of the same files. */
  findUnfinished(fingerprint: string, userId: string | null): Promise<KeptLink | null>;
  keep(link: KeptLink): Promise<void>;
  /** Does nothing for a link that is not kept here. */
  change(downloadId: string, change: Partial<KeptLink>): Promise<void>;
  forget(downloadId: string): Promise<void>;
}
