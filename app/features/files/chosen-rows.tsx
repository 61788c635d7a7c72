import { Clock, Trash2, X } from "lucide-react";
import { lazy, Suspense, useState, type ChangeEvent, type KeyboardEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import type { ListedFile } from "#domain/wire.ts";

const ChosenDialog = lazy(() => importWhenOnline(() => import("./chosen-dialog.client.tsx")));

/** What is done with all chosen links. */
export type ChosenAction = "delete" | "expiry";

/** A row's checkbox. */
export interface RowChoice {
  isChosen: boolean;
  /** @param isRange also chooses the rows between this one and the one that was chosen before it */
  onChoose(isChosen: boolean, isRange: boolean): void;
}

/** The rows of a list that are chosen. Rows that leave the list are no longer chosen. */
export function useChosenRows(files: readonly ListedFile[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [lastId, setLastId] = useState<string | null>(null);
  const set = (changed: readonly ListedFile[], isChosen: boolean) =>
    setIds((before) => {
      const after = new Set(before);
      for (const { id } of changed) {
        if (isChosen) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  return {
    chosen: files.filter(({ id }) => ids.has(id)),
    chooseAll: (isChosen: boolean) => set(files, isChosen),
    choiceOf: (file: ListedFile): RowChoice => ({
      isChosen: ids.has(file.id),
      onChoose: (isChosen, isRange) => {
        set(isRange ? rowsBetween(files, lastId, file.id) : [file], isChosen);
        setLastId(file.id);
      },
    }),
  };
}

function rowsBetween(files: readonly ListedFile[], from: string | null, to: string): readonly ListedFile[] {
  const end = files.findIndex(({ id }) => id === to);
  const start = files.findIndex(({ id }) => id === from);
  const first = start === -1 ? end : start;
  return files.slice(Math.min(first, end), Math.max(first, end) + 1);
}

const CHECKBOX = "input[data-row-choice]";

export function RowCheckbox({ choice: { isChosen, onChoose }, label }: { choice: RowChoice; label: string }) {
  return (
    // The padding makes a larger target for fingers. Without `select-none`, a click with Shift would select text.
    <label className="-m-3 cursor-pointer p-3 select-none">
      <input
        type="checkbox"
        aria-label={label}
        data-row-choice
        className="block size-5 accent-(--reed)"
        checked={isChosen}
        onChange={({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) =>
          // React reports a checkbox's click, by mouse or space bar, as its change.
          onChoose(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}

/**
 * Moves the focus between the checkboxes of a list by the arrow keys. With Shift, the row that gets the focus becomes
 * as the row before it is.
 */
export function moveBetweenCheckboxes(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLInputElement) || !event.target.matches(CHECKBOX)) return;
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>(CHECKBOX)];
  const next = boxes[boxes.indexOf(event.target) + step];
  event.preventDefault();
  if (!next) return;
  next.focus();
  if (event.shiftKey && next.checked !== event.target.checked) next.click();
}

interface ChosenBarProps {
  chosen: readonly ListedFile[];
  /** How many rows the page of the list has. */
  of: number;
  onChooseAll(isChosen: boolean): void;
}

/** What can be done with the chosen rows. Stays in view as long as rows are chosen. */
export function ChosenBar({ chosen, of, onChooseAll }: ChosenBarProps) {
  const t = useMessages("files");
  const [action, setAction] = useState<ChosenAction | null>(null);
  // The dialog keeps its links although a deleted link leaves the list.
  const [shown, setShown] = useState<readonly ListedFile[]>([]);
  const open = (opened: ChosenAction) => {
    setShown(chosen);
    setAction(opened);
  };
  return (
    <>
      {chosen.length > 0 && (
        <div
          role="toolbar"
          aria-label={t("chosenTools")}
          className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-2xl border border-line bg-surface p-2 shadow-xl"
          onKeyDown={(event) => {
            if (event.key === "Escape") onChooseAll(false);
          }}
        >
          <p role="status" className="me-auto ps-3 font-medium tabular-nums">
            {t("chosenCount", { count: chosen.length })}
          </p>
          {chosen.length < of && (
            <Button look="bare" onClick={() => onChooseAll(true)}>
              {t("chooseAll")}
            </Button>
          )}
          <Button
            icon={X}
            look="bare"
            className="px-3! sm:order-last"
            aria-label={t("chooseNone")}
            onClick={() => onChooseAll(false)}
          />
          <Button icon={Clock} look="quiet" className="max-sm:flex-1" onClick={() => open("expiry")}>
            {t("changeExpiry")}
          </Button>
          <Button icon={Trash2} look="danger" className="max-sm:flex-1" onClick={() => open("delete")}>
            {t("delete")}
          </Button>
        </div>
      )}
      {action && (
        <Suspense>
          <ChosenDialog action={action} files={shown} onClose={() => setAction(null)} />
        </Suspense>
      )}
    </>
  );
}
