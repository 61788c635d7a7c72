import type { FinishTransferAnswer, UnfinishedUpload } from "#domain/wire.ts";
import type { Progress } from "#engine/progress.ts";
import type { TransferEntries, SendState } from "#engine/transfer/transfer-entries.ts";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import type { TransferUpload } from "#engine/transfer/transfer-upload.ts";
import type { PutRoute } from "#engine/upload-types.ts";
import type { KnownProtection } from "../link-choice.ts";
import type { ListView } from "./transfer-draft.ts";
import type { TransferWords } from "./words-on-server.ts";

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
  /** Goes up when the entries change that the rows show. */
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

type EntriesOf = Pick<TransferUpload, "entries" | "canReload">;

type EntriesView = Pick<
  SendingView,
  "rows" | "listVersion" | "count" | "stored" | "problems" | "resumedWith" | "version"
>;

/**
 * The first view of a transfer that is about to be sent.
 * @param told paths that are new to an unfinished transfer, and those that could not be read
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

/** What the entries' states come to now. The rows stay the same array until the list changes. */
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
    // The first states of a transfer that goes on are what the server had kept.
    resumedWith: before.resumedWith === 0 ? stored : before.resumedWith,
    version: before.version + 1,
  };
}

/** In the order of paths: a file that is sent again has a new number, and keeps its place. */
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
