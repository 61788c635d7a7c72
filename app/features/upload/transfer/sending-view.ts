import type { SendState, TransferEntries } from "#engine/transfer/transfer-entries.ts";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import type { TransferUpload } from "#engine/transfer/transfer-upload.ts";
import type { SendingView, TransferProblem, TransferRow } from "./transfer-view.ts";
import type { TransferWords } from "./transfer-words.ts";

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
