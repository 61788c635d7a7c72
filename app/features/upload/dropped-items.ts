import { useEffect } from "react";

export interface DroppedItem {
  /** Null for a file of an input, or one that a script made. */
  entry: FileSystemEntry | null;
  /** The browser gives a file for a folder, too; it is meaningless then. */
  file: File | null;
}

export function itemsOfFiles(files: Iterable<File>): DroppedItem[] {
  return Array.from(files, (file) => ({ entry: null, file }));
}

/**
 * What a drop or a paste holds. Call within its event: the browser forgets the items after it.
 * @param data without items, there are no folders
 */
export function takeDroppedItems({
  items,
  files,
}: Pick<DataTransfer, "files"> & Partial<Pick<DataTransfer, "items">>): DroppedItem[] {
  if (!items) return itemsOfFiles(files);
  return Array.from(items)
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
}

/** Files and folders that are pasted anywhere on the page. */
export function usePastedFiles(onItems: (items: DroppedItem[]) => void): void {
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      // Pasted into a field, it is a text, even if a program added a picture of it.
      const isText = target instanceof Element && target.matches("textarea, input:not([type=file])");
      if (clipboardData && !isText) onItems(takeDroppedItems(clipboardData));
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [onItems]);
}
