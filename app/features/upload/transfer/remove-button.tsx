import { X } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOf } from "./list-draft.ts";

interface RemoveButtonProps {
  path: string;
  /** @param nextRow what takes the row's place; null when the tree is gone */
  onRemove(nextRow: () => HTMLElement | null): void;
}

/** At the end of a tree's row. The focus goes to the row that takes the removed one's place. */
export function RemoveButton({ path, onRemove }: RemoveButtonProps) {
  const t = useMessages("transferUpload");
  return (
    <button
      type="button"
      aria-label={t("remove", { name: nameOf(path) })}
      className="-me-2 grid size-11 cursor-pointer place-items-center rounded-lg hover:text-danger"
      onClick={({ currentTarget }) => {
        const grid = currentTarget.closest<HTMLElement>("[role=treegrid]");
        const place = Number(currentTarget.closest("[role=row]")?.getAttribute("aria-rowindex"));
        const rowAt = (index: number) =>
          grid?.isConnected ? grid.querySelector<HTMLElement>(`[role=row][aria-rowindex="${index}"]`) : null;
        const nextRow = () => rowAt(place) ?? rowAt(place - 1);
        onRemove(nextRow);
        requestAnimationFrame(() => {
          // A dialog that asks first keeps the focus.
          if (document.activeElement === document.body) nextRow()?.focus();
        });
      }}
    >
      <X size={18} aria-hidden />
    </button>
  );
}
