export interface DroppedItem {
  /** Null for a file of an input, or one that a script made. */
  entry: FileSystemEntry | null;
  /** Of a folder too: meaningless then. */
  file: File | null;
}

/** What a drop or a paste holds. Call within its event: the browser forgets the items after it. */
export function takeDroppedItems({ items }: DataTransfer): DroppedItem[] {
  return Array.from(items)
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
}
