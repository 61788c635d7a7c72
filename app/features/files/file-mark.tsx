import { Folder } from "lucide-react";
import { FileIcon } from "#app/ui/file-icon.tsx";
import type { ListedFile } from "#domain/wire.ts";
import { nameOf } from "./file-name.ts";

/** The kind of a file, or that of a transfer. */
export function FileMark({ file }: { file: ListedFile }) {
  return (
    <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-sunken text-reed">
      {file.entries === undefined ? (
        <FileIcon filename={nameOf(file)} />
      ) : (
        <Folder size={22} aria-hidden data-kind="transfer" />
      )}
    </span>
  );
}
