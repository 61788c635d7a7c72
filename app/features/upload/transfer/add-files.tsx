import clsx from "clsx";
import { FilePlus, FolderPlus } from "lucide-react";
import { useRef, useState, type DragEvent, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FileInput } from "#app/ui/file-input.tsx";
import { itemsOfFiles, takeDroppedItems, type DroppedItem, usePasted } from "../dropped-items.ts";

interface AddFilesProps {
  onItems(items: DroppedItem[]): void;
}

/** An area that takes files and folders that are dropped anywhere in the area or pasted anywhere on the page. */
export function AddArea({ onItems, children }: AddFilesProps & { children: ReactNode }) {
  const t = useMessages("transferUpload");
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const add = (items: DroppedItem[]) => {
    if (items.length > 0) onItems(items);
  };
  usePasted(add);
  return (
    <div
      className={clsx(
        // Not a grid, in which a sticky child would not leave its own row.
        "relative flex flex-col gap-5",
        isDraggedOver && "rounded-2xl outline-2 outline-offset-8 outline-reed outline-dashed",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={(event: DragEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsDraggedOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsDraggedOver(false);
        add(takeDroppedItems(event.dataTransfer));
      }}
    >
      {children}
      {isDraggedOver && (
        <p className="pointer-events-none absolute inset-0 grid place-items-center rounded-2xl bg-surface/85 text-lg font-medium">
          {t("dropToAdd")}
        </p>
      )}
    </div>
  );
}

interface AddButtonsProps extends AddFilesProps {
  /** Further ways to add something. */
  children?: ReactNode;
}

export function AddButtons({ onItems, children }: AddButtonsProps) {
  const t = useMessages("transferUpload");
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const add = (chosen: File[]) => onItems(itemsOfFiles(chosen));
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={FilePlus} look="quiet" onClick={() => files.current?.click()}>
        {t("addFiles")}
      </Button>
      {/* Hidden on devices without a mouse, such as phones, where nobody can choose a folder. */}
      <Button
        icon={FolderPlus}
        look="quiet"
        className="hidden! any-pointer-fine:inline-flex!"
        onClick={() => folder.current?.click()}
      >
        {t("addFolder")}
      </Button>
      {children}
      <FileInput ref={files} hidden multiple label={t("addFiles")} onFiles={add} />
      <FileInput ref={folder} hidden isFolder label={t("addFolder")} onFiles={add} />
    </div>
  );
}
