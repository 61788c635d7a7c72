import { X } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOf } from "./list-draft.ts";

/** At the end of a tree's row. The focus goes to the row that takes the removed one's place. */
export function RemoveButton({ path, onRemove }: { path: string; onRemove(): void }) {
  const t = useMessages("transferUpload");
  return (
    <button
      type="button"
      aria-label={t("remove", { name: nameOf(path) })}
      className="-me-2 grid size-11 cursor-pointer place-items-center rounded-lg hover:text-danger"
      onClick={({ currentTarget }) => {
        const grid = currentTarget.closest<HTMLElement>("[role=treegrid]");
        const place = Number(currentTarget.closest("[role=row]")?.getAttribute("aria-rowindex"));
        onRemove();
        requestAnimationFrame(() => {
          const rowAt = (index: number) => grid?.querySelector<HTMLElement>(`[role=row][aria-rowindex="${index}"]`);
          // A dialog that asks first keeps the focus.
          if (document.activeElement === document.body) (rowAt(place) ?? rowAt(place - 1))?.focus();
        });
      }}
    >
      <X size={18} aria-hidden />
    </button>
  );
}
