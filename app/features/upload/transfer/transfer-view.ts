import type { FinishTransferAnswer, UnfinishedUpload } from "#domain/wire.ts";
import type { Progress } from "#engine/progress.ts";
import type { TransferEntries } from "#engine/transfer/transfer-entries.ts";
import type { PutRoute } from "#engine/upload-types.ts";
import type { KnownGuards } from "../known-guards.ts";
import type { ListView } from "./transfer-draft.ts";
import type { TransferWords } from "./transfer-words.ts";

/** What is not sent as it was chosen. */
export interface ChoiceNotices {
  changedNames: number;
  /** Files of the system's own. */
  leftOut: number;
  /** Paths of what could not be read when it was chosen last. */
  unreadable: readonly string[];
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
  /** More than its state says, such as the server's refusal; else null. */
  reason: Error | null;
  /** Whether it can be read again without the person choosing it. */
  canReload: boolean;
}

export interface TransferLink extends KnownGuards {
  uploadId: string;
  downloadId: string;
}

export interface SendingView {
  phase: "sending";
  words: TransferWords;
  /** Null before the start. */
  link: TransferLink | null;
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
  notices: ChoiceNotices;
  /** The server did not take the words that the person typed. */
  wordsFailed: boolean;
  /** Increases when states or the list change. */
  version: number;
}

export interface FailedView {
  phase: "failed";
  words: TransferWords;
  /** Null for an unfinished transfer that did not go on. */
  link: TransferLink | null;
  error: unknown;
  wordsFailed: boolean;
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
  link: TransferLink | null;
  notices: ChoiceNotices;
  wordsFailed: boolean;
  result: FinishTransferAnswer;
}

export type TransferView = { phase: "reading" } | ListView | SendingView | FailedView | OtherFilesView | DoneView;

/** Whether recipients may read its title and message already. */
export function hasWords(view: TransferView): view is SendingView | FailedView | DoneView {
  return view.phase === "sending" || view.phase === "failed" || view.phase === "done";
}
