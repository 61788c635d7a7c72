import { Share } from "lucide-react";
import { useContext, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { toast } from "#app/ui/toast.ts";
import { previewOf, SEALED_IMAGE_MAX_BYTES } from "#domain/preview.ts";
import { SealedPageContext } from "../sealed/sealed-context.ts";
import type { TransferEntry } from "../transfer/entry-list.ts";

interface SaveButtonProps {
  entry: TransferEntry;
  /** Of the file's bytes. */
  href: string;
}

/** Hands a picture or film to the system's sheet, from which phones save it to their photographs. */
export function SaveButton({ entry, href }: SaveButtonProps) {
  const t = useMessages("pictures");
  const sealed = useContext(SealedPageContext);
  const [file, setFile] = useState<File | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const name = nameOf(entry.path);
  const kind = previewOf(entry.type)?.kind;
  // The whole file is in memory.
  const isSmall = entry.sizeBytes > 0 && entry.sizeBytes <= SEALED_IMAGE_MAX_BYTES;
  if (!isSmall || (kind !== "image" && kind !== "video") || !canShare(entry.type)) return null;
  const load = async (): Promise<File> => {
    if (sealed) return new File([await sealed.openFile(href)], name, { type: entry.type });
    const response = await fetch(href);
    if (!response.ok) throw new Error(`the file answered ${response.status}`);
    return new File([await response.blob()], name, { type: entry.type });
  };
  const save = async () => {
    setIsBusy(true);
    try {
      const loaded = file ?? (await load());
      setFile(loaded);
      await navigator.share({ files: [loaded] });
    } catch (error) {
      // A browser forgets the press while a large file loads. The next press finds the file loaded.
      const isOver = error instanceof DOMException && ["AbortError", "NotAllowedError"].includes(error.name);
      if (!isOver) toast({ title: t("saveFailed"), tone: "bad" });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="yarl__button viewer-button"
      aria-label={t("save", { name })}
      title={t("save", { name })}
      aria-disabled={isBusy || undefined}
      onClick={() => {
        if (!isBusy) void save();
      }}
    >
      <Share aria-hidden className={isBusy ? "opacity-40" : undefined} />
    </button>
  );
}

/** @param type of the file @returns whether the system's sheet takes such files */
function canShare(type: string): boolean {
  if (typeof navigator.canShare !== "function") return false;
  return navigator.canShare({ files: [new File([], "picture", { type })] });
}
