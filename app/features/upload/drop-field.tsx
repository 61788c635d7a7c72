import clsx from "clsx";
import { FolderUp, Upload } from "lucide-react";
import { useState, type ReactNode } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import { FileInput } from "#app/ui/file-input.tsx";
import { itemsOfFiles, takeDroppedItems, type DroppedItem } from "./dropped-items.ts";

interface ItemsProps {
  onItems(items: DroppedItem[]): void;
  /** Called when the person is about to choose files, so that scripts can be loaded. */
  onPrepare?: () => void;
}

interface DropFieldProps extends ItemsProps {
  title: string;
  /** The title while something is dragged over the field. */
  dropTitle: string;
  hint: string;
  /** More hints, and the `ItemsInput` that a click opens. */
  children: ReactNode;
}

/** A large field for dropped files and folders. A click opens the chooser. */
export function DropField({ title, dropTitle, hint, onItems, onPrepare, children }: DropFieldProps) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  return (
    <label
      className={clsx(
        "grid cursor-pointer place-items-center gap-1 rounded-2xl border-2 border-dashed px-4 py-12 text-center transition-colors",
        "focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-reed",
        isDraggedOver ? "border-reed bg-sunken" : "border-line hover:border-reed hover:bg-sunken",
      )}
      onPointerEnter={onPrepare}
      onDragEnter={onPrepare}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsDraggedOver(false);
        onItems(takeDroppedItems(event.dataTransfer));
      }}
    >
      <span className="mb-3 grid size-14 place-items-center rounded-2xl bg-reed text-on-reed">
        <Upload size={26} aria-hidden />
      </span>
      <span className="text-lg font-medium text-balance">{isDraggedOver ? dropTitle : title}</span>
      <span className="text-sm text-muted">{hint}</span>
      {children}
    </label>
  );
}

interface ChooseFolderProps extends ItemsProps {
  look: "primary" | "quiet";
  label: string;
}

/**
 * A button that chooses a folder. Hidden on devices without a mouse, such as phones, where nobody can choose a folder.
 */
export function ChooseFolder({ look, label, onItems, onPrepare }: ChooseFolderProps) {
  return (
    <label
      className={clsx(
        buttonClass(look),
        "hidden! cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 any-pointer-fine:inline-flex!",
      )}
    >
      <FolderUp size={18} aria-hidden />
      {label}
      <ItemsInput label={label} isFolder onItems={onItems} onPrepare={onPrepare} />
    </label>
  );
}

interface ItemsInputProps extends ItemsProps {
  label: string;
  isFolder?: boolean;
  isSingle?: boolean;
  /** The allowed endings of file names; null for all. */
  kinds?: readonly string[] | null;
}

/** A hidden file input, which its label opens. */
export function ItemsInput({ kinds = null, isSingle = false, onItems, onPrepare, ...input }: ItemsInputProps) {
  return (
    <FileInput
      {...input}
      className="sr-only"
      multiple={!isSingle}
      // Browsers do not support endings with two dots, such as `.tar.gz`.
      accept={kinds?.every((kind) => !kind.includes(".")) ? kinds.map((kind) => `.${kind}`).join(",") : undefined}
      onFocus={onPrepare}
      onFiles={(files) => onItems(itemsOfFiles(files))}
    />
  );
}
