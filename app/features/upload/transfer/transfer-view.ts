import type { FinishTransferAnswer, UnfinishedUpload } from "#domain/wire.ts";
import type { Progress } from "#engine/progress.ts";
import type { TransferEntries, SendState } from "#engine/transfer/transfer-entries.ts";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import type { TransferUpload } from "#engine/transfer/transfer-upload.ts";
import type { PutRoute } from "#engine/upload-types.ts";
import type { KnownProtection } from "../link-choice.ts";
import type { ListView } from "./transfer-draft.ts";
import type { TransferWords } from "./words-on-server.ts";

/** The files that are not sent as chosen. */
export interface ChoiceNotices {
  changedNames: number;
  /** The number of system files that are not sent. */
  leftOut: number;
  /** The paths that were unreadable in the last choice. */
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
  /** The error that made the file unreadable, such as the server's refusal; null if there is none. */
  reason: Error | null;
  /** Whether the file can be read again without a new choice. */
  canReload: boolean;
}

export interface TransferLink extends KnownProtection {
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
  /** Increases when the entries in the rows change. */
  listVersion: number;
  /** The number of entries that are not removed. */
  count: number;
  stored: number;
  problems: readonly TransferProblem[];
  /** The number of stored files when an interrupted transfer was resumed; null for a new transfer. */
  resumedWith: number | null;
  /** The paths that are added to a resumed transfer. */
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
  /** Null for an unfinished transfer that was not resumed. */
  link: TransferLink | null;
  error: unknown;
  wordsFailed: boolean;
  count: number;
  /** The number of files that the server keeps; null if unknown. */
  stored: number | null;
}

/** None of the chosen files belongs to the unfinished transfer. */
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

/** Whether recipients can read the title and message of the view. */
export function hasWords(view: TransferView): view is SendingView | FailedView | DoneView {
  return view.phase === "sending" || view.phase === "failed" || view.phase === "done";
}

type EntriesOf = Pick<TransferUpload, "entries" | "canReload">;

type EntriesView = Pick<
  SendingView,
  "rows" | "listVersion" | "count" | "stored" | "problems" | "resumedWith" | "version"
>;

/**
 * The first view of a transfer that is sent.
 * @param told `newPaths`: the paths that are added to a resumed transfer; `unreadable`: the paths of unreadable files
 */
export function sendingView(
  upload: EntriesOf,
  list: TransferList,
  words: TransferWords,
  { newPaths = [], unreadable = [] }: { newPaths?: readonly string[]; unreadable?: readonly string[] } = {},
): SendingView {
  const view: SendingView = {
    phase: "sending",
    words,
    link: null,
    progress: { loadedBytes: 0, totalBytes: list.bytes, percent: 0, speed: 0, timeLeftMs: null },
    transport: "direct",
    finishing: false,
    entries: upload.entries,
    rows: [],
    listVersion: -1,
    count: 0,
    stored: 0,
    problems: [],
    resumedWith: null,
    newPaths,
    notices: { changedNames: list.changedNames, leftOut: list.leftOut, unreadable },
    wordsFailed: false,
    version: 0,
  };
  return { ...view, ...viewOfEntries(upload, view) };
}

/** The view of the entries' present states. The rows stay the same array until the list changes. */
export function viewOfEntries(upload: EntriesOf, before: SendingView): EntriesView {
  const { entries } = upload;
  const count = entries.length - entries.count("removed");
  const stored = entries.count("stored");
  const { listVersion } = entries;
  return {
    rows: before.listVersion === listVersion ? before.rows : rowsOf(entries),
    listVersion,
    count,
    stored,
    problems: problemsOf(upload),
    // `resumedWith` is 0 until the states of a resumed transfer arrive. The first states that arrive are those that the
    // server has kept.
    resumedWith: before.resumedWith === 0 ? stored : before.resumedWith,
    version: before.version + 1,
  };
}

/** Sorts the rows by path, so that a file that is sent again keeps its place under its new number. */
function rowsOf(entries: TransferEntries): TransferRow[] {
  return numbersOf(entries, (state) => state !== "removed")
    .map((n) => ({ n, path: entries.path(n), sizeBytes: entries.fileBytes(n) }))
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

function problemsOf(upload: EntriesOf): TransferProblem[] {
  const { entries } = upload;
  if (entries.count("changed") + entries.count("unreadable") === 0) return [];
  return numbersOf(entries, isProblem).map((n) => ({
    n,
    path: entries.path(n),
    state: entries.state(n) === "changed" ? "changed" : "unreadable",
    reason: entries.reason(n),
    canReload: upload.canReload(n),
  }));
}

function isProblem(state: SendState): boolean {
  return state === "changed" || state === "unreadable";
}

function numbersOf(entries: TransferEntries, isWanted: (state: SendState) => boolean): number[] {
  const numbers: number[] = [];
  for (let n = 0; n < entries.length; n += 1) if (isWanted(entries.state(n))) numbers.push(n);
  return numbers;
}
