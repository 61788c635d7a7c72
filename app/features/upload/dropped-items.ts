import { useEffect } from "react";

export interface DroppedItem {
  /** Null for a file from an input or a script. */
  entry: FileSystemEntry | null;
  /** The file. For a folder, browsers give a `File` without meaning. */
  file: File | null;
}

export function itemsOfFiles(files: Iterable<File>): DroppedItem[] {
  return Array.from(files, (file) => ({ entry: null, file }));
}

/**
 * The items of a drop or a paste. Call it within the event, because the browser forgets the items afterwards.
 * @param data contains no folders if it lacks `items`
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

/**
 * Calls `onItems` with files and folders that are pasted anywhere on the page, and `onText` with a text that is pasted
 * without them.
 */
export function usePasted(onItems: (items: DroppedItem[]) => void, onText?: (text: string) => void): void {
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      // Text that is pasted into a field stays text, even if a program added a picture of the text.
      const isInField = target instanceof Element && target.matches("textarea, input:not([type=file])");
      if (!clipboardData || isInField) return;
      const items = takeDroppedItems(clipboardData);
      const text = clipboardData.getData("text/plain");
      if (items.length === 0 && text.trim() !== "") onText?.(text);
      else onItems(items);
    };
    addEventListener("paste", paste);
    return () => removeEventListener("paste", paste);
  }, [onItems, onText]);
}
