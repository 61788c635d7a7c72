import type { TransferList, TransferListEntry } from "#engine/transfer/transfer-list.ts";
import type { DroppedItem } from "../dropped-items.ts";
import { itemsOfDrop, type ChosenItems } from "./chosen-items.ts";
import { EMPTY_LIST, extendList, withoutEntries } from "./chosen-list.ts";
import type { TransferWords } from "./words-on-server.ts";

/** At most this many files, without a folder, are sent without showing the list first. */
const MAX_SENT_AT_ONCE = 100;

/** The values of the list before the transfer starts. */
export interface ListView {
  phase: "list";
  draft: TransferDraft;
  words: TransferWords;
  list: TransferList;
  /** The paths of unreadable files. The person decides what to do about these files before the transfer starts. */
  unreadable: readonly string[];
  alreadyThere: number;
  /** Whether more files are being read. */
  isReading: boolean;
  /**
   * Whether the transfer starts without showing the list: the list has a few plain files, and nothing has to be asked.
   */
  startsAtOnce: boolean;
  /** The server's reason for not starting the transfer; null before a start. */
  error: unknown;
}

/** The list before its transfer starts. The person can change everything. */
export class TransferDraft {
  readonly #onChange: (view: ListView) => void;
  #view: ListView;
  /** The number of drops that are being read. */
  #readings = 0;

  /** @param maySendAtOnce false shows the list first, however few files there are */
  constructor({ items, unreadable }: ChosenItems, maySendAtOnce: boolean, onChange: (view: ListView) => void) {
    const { list } = extendList(EMPTY_LIST, items);
    const startsAtOnce = maySendAtOnce && unreadable.length === 0 && list.entries.length > 0;
    const words = { title: "", message: "" };
    const rest = { alreadyThere: 0, isReading: false, error: null };
    this.#onChange = onChange;
    this.#view = { phase: "list", draft: this, words, list, unreadable, startsAtOnce, ...rest };
  }

  get view(): ListView {
    return this.#view;
  }

  setWords(words: TransferWords): void {
    this.#patch({ words });
  }

  async extend(items: readonly DroppedItem[]): Promise<void> {
    this.#readings += 1;
    this.#patch({ isReading: true });
    const chosen = await itemsOfDrop(items);
    this.#readings -= 1;
    const { list, alreadyThere } = extendList(this.#view.list, chosen.items);
    const unreadable = [...this.#view.unreadable, ...chosen.unreadable];
    this.#patch({ list, alreadyThere, unreadable, isReading: this.#readings > 0 });
  }

  leaveOut(entries: ReadonlySet<TransferListEntry>): void {
    this.#patch({ list: withoutEntries(this.#view.list, entries) });
  }

  leaveOutUnreadable(): void {
    this.#patch({ unreadable: [] });
  }

  /** Shows the list, because something has to be asked before the transfer starts. */
  show(): void {
    this.#patch({ startsAtOnce: false });
  }

  /**
   * Shows the list after the server did not start the transfer, because its words or files may be the reason.
   * @param list the remaining files
   */
  showRefused(list: TransferList, error: unknown): void {
    this.#patch({ list, error, unreadable: [], alreadyThere: 0, startsAtOnce: false });
  }

  #patch(change: Partial<ListView>): void {
    this.#view = { ...this.#view, ...change };
    this.#onChange(this.#view);
  }
}

/** Whether there are only a few files and no folder, which need not be shown before they are sent. */
export function isPlain(items: readonly DroppedItem[]): boolean {
  return items.length <= MAX_SENT_AT_ONCE && items.every((item) => !isFolder(item));
}

function isFolder({ entry, file }: DroppedItem): boolean {
  return entry?.isDirectory === true || Boolean(file?.webkitRelativePath);
}
