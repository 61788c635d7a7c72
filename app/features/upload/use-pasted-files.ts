import { useEffect } from "react";
import { takeDroppedItems, type DroppedItem } from "./transfer/dropped-items.ts";

/** Files and folders that are pasted anywhere on the page. */
export function usePastedFiles(onItems: (items: DroppedItem[]) => void): void {
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      // Pasted into a field, it is a text, even if a program added a picture of it.
      const isText = target instanceof Element && target.matches("textarea, input:not([type=file])");
      if (clipboardData && !isText) onItems(takeDroppedItems(clipboardData));
    };
    addEventListener("paste", paste);
    return () => {
      removeEventListener("paste", paste);
    };
  }, [onItems]);
}
