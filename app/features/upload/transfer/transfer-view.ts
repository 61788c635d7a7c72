import type { FinishTransferAnswer, UnfinishedUpload } from "#domain/wire.ts";
import type { Progress } from "../engine/progress.ts";
import type { TransferEntries } from "../engine/transfer/transfer-entries.ts";
import type { TransferList } from "../engine/transfer/transfer-list.ts";
import type { PutRoute } from "../engine/upload-types.ts";

/** What recipients read of a transfer. */
export interface TransferWords {
  /** "" is the default title. */
  title: string;
  message: string;
}

/** Before it starts. */
export interface ListView {
  phase: "list";
  words: TransferWords;
  list: TransferList;
  /** Paths of what could not be read: the person decides before it starts. */
  unreadable: readonly string[];
  alreadyThere: number;
  /** More is being read. */
  isReading: boolean;
  /** A few plain files start at once, when nothing has to be asked. */
  startsAtOnce: boolean;
  /** Why the server did not start it; null before. */
  error: unknown;
}

/** A row of the tree. */
export interface TransferRow {
  n: number;
  path: string;
  sizeBytes: number;
}

/** A file that the person has to send again or leave out. */
export interface TransferProblem {
  n: number;
  path: string;
  state: "changed" | "unreadable";
  /** Whether it can be read again without the person choosing it. */
  canReload: boolean;
}

export interface SendingView {
  phase: "sending";
  words: TransferWords;
  link: { uploadId: string; downloadId: string; shareUrl: string } | null;
  progress: Progress;
  transport: PutRoute;
  finishing: boolean;
  entries: TransferEntries;
  rows: readonly TransferRow[];
  /** Of the entries that the rows show. */
  listVersion: number;
  /** Without removed ones. */
  count: number;
  stored: number;
  problems: readonly TransferProblem[];
  /** How many files were there when an interrupted transfer went on; null for a new one. */
  resumedWith: number | null;
  /** What was not in the interrupted transfer and is added to it. */
  newPaths: readonly string[];
  /** Increases when states or the list change. */
  version: number;
}

export interface FailedView {
  phase: "failed";
  words: TransferWords;
  error: unknown;
  count: number;
  /** How many the server keeps; null when it could not be asked. */
  stored: number | null;
}

/** The choice has nothing in common with the transfer that it was to go on with. */
interface OtherFilesView {
  phase: "other-files";
  unfinished: UnfinishedUpload;
}

export interface DoneView {
  phase: "done";
  words: TransferWords;
  result: FinishTransferAnswer;
}

export type TransferView = { phase: "reading" } | ListView | SendingView | FailedView | OtherFilesView | DoneView;
