import type { PictureKind } from "#domain/pictures/limits.ts";
import type { Calls, ChunkCalls } from "./calls.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";
import type { KeptLink, HashPassword } from "./sealing/link-keys.ts";
import type { SealAnswer, SealRequest } from "./sealing/seal-messages.ts";
import type { PutRoute } from "./upload-types.ts";

/**
 * What the engine needs from the browser or Node for every upload. Files are `File`s and ranges of files are `Blob`s:
 * browsers and Node have both classes.
 */
export interface Ports {
  calls: Calls;
  online: Online;
  /** Logs for programmers why a step is repeated. */
  warn(message: string): void;
  /** Runs a function that calls `import()`. */
  load<Module>(load: () => Promise<Module>): Promise<Module>;
  sealing(): Promise<SealingPorts>;
  /** Null where nothing can make pictures of files. */
  pictures: PicturePorts | null;
  startReading: StartThread<ReadRequest, ReadAnswer>;
  /**
   * A value that differs after a file has changed, without reading the whole file.
   * @returns null where no such value is known @throws when the file cannot be read
   */
  versionOf(file: File): Promise<string | null>;
}

/** What an upload of a single file in parts needs. */
export interface DirectPorts extends Ports {
  put: Put;
  /** Null where a program cannot open the socket. Without a socket, nobody who watches sees progress. */
  live: Live | null;
}

/** What an upload of a single file in chunks needs. */
export interface ChunkPorts extends Ports {
  calls: ChunkCalls;
  postChunk: PostChunk;
}

/** For a transfer. */
export interface TransferPorts extends Ports {
  put: Put;
  /** Null where nobody may watch. Without a socket, the sender learns everything from the answers to calls. */
  live: Live | null;
  removals: RemovalStore;
}

/** A small picture that was made of a file: a WebP or JPEG file within the limits of its kind. */
export interface MadePicture {
  image: Blob;
  /** Pixels. */
  width: number;
  height: number;
  /** The duration of a video. */
  seconds?: number | undefined;
}

/** Makes pictures of photographs and videos. */
interface PicturePorts {
  /** How many pictures are made at the same time. */
  atOnce: number;
  /** @returns null for a file of which no picture can be made @throws DOMException AbortError when aborted */
  make(file: File, kind: PictureKind, signal: AbortSignal): Promise<MadePicture | null>;
}

/** For sealed uploads. */
export interface SealingPorts {
  startSealing: StartThread<SealRequest, SealAnswer>;
  hashPassword: HashPassword;
  links: LinkStore;
}

/** Knows whether there is a network. */
export interface Online {
  isOnline(): boolean;
  /** Resolves once there is a network. @throws DOMException AbortError when aborted */
  whenOnline(signal: AbortSignal): Promise<void>;
  /** What `whenOnline` waits for, in the words of warnings, such as "the browser is online". */
  readonly awaited: string;
}

interface PutOptions {
  transport: PutRoute;
  contentType: string;
  signal: AbortSignal;
  onProgress(sentBytes: number): void;
}

export interface PutResponse {
  /** The ETag of the object or part; "" if CORS rules hide it. */
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

/** The events of a connection to an upload's socket. */
interface ConnectionEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  /** Called after the connection has closed, and after a failed attempt to connect. */
  onClose(): void;
}

/** The members of a WebSocket that the engine uses. */
export interface LiveConnection {
  readonly readyState: number;
  send(text: string): void;
  close(code: number): void;
}

/** Opens a connection to the socket of an upload. @throws when the attempt cannot be made */
export type Live = (downloadId: string, events: ConnectionEvents) => LiveConnection;

/** Answers requests in their order. In a browser, such a thread is a web worker. */
export interface Thread<Request, Answer> {
  /** @throws UploadError if the thread has ended by itself; DOMException AbortError once it is stopped */
  ask(request: Request): Promise<Answer>;
  stop(): void;
}

/** @throws TypeError if the thread cannot be started now; DOMException AbortError when aborted */
type StartThread<Request, Answer> = (signal: AbortSignal) => Promise<Thread<Request, Answer>>;

/** An incremental hash. */
export interface Hasher {
  /** Resets the hash. */
  init(): Hasher;
  update(bytes: Uint8Array): Hasher;
  digest(encoding: "hex"): string;
}

/** Creates the hashers for SHA-256 and CRC-32. */
export interface Hashers {
  sha256(): Promise<Hasher>;
  crc32(): Promise<Hasher>;
}

/** Keeps, for each upload, the numbers of removed entries whose removal the server has not confirmed. */
export interface RemovalStore {
  read(uploadId: string): number[];
  write(uploadId: string, numbers: readonly number[]): void;
}

/**
 * The sealed links whose keys this device keeps. On a device that cannot keep keys, the methods do nothing and do not
 * throw.
 */
interface LinkStore {
  /** @returns null for a link that this device does not keep */
  find(downloadId: string): Promise<KeptLink | null>;
  /** Finds the link of an unfinished upload of the same files. */
  findUnfinished(fingerprint: string, userId: string | null): Promise<KeptLink | null>;
  keep(link: KeptLink): Promise<void>;
  /** Does nothing for a link that this device does not keep. */
  change(downloadId: string, change: Partial<KeptLink>): Promise<void>;
  forget(downloadId: string): Promise<void>;
}
