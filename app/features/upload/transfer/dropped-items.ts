export interface DroppedItem {
  /** Null for a file of an input, or one that a script made. */
  entry: FileSystemEntry | null;
  /** Of a folder too: meaningless then. */
  file: File | null;
}

/**
 * What a drop or a paste holds. Call within its event: the browser forgets the items after it.
 * @param data without items, there are no folders
 */
export function takeDroppedItems({
  items,
  files,
}: Pick<DataTransfer, "files"> & Partial<Pick<DataTransfer, "items">>): DroppedItem[] {
  if (!items) return Array.from(files, (file) => ({ entry: null, file }));
  return Array.from(items)
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
}
