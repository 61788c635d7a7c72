import { Check, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Question } from "#app/ui/dialog.tsx";
import { nameOf, type TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { EntryTree } from "#app/ui/entries/entry-tree.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { toast } from "#app/ui/toast.ts";
import type { TransferEntries } from "#engine/transfer/transfer-entries.ts";
import { RemoveButton } from "./chosen-files.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { useLeaveOut } from "./sending-problems.tsx";
import type { SendingView, TransferRow } from "./transfer-view.ts";

/** The files that the person wants to remove. */
export interface Removal {
  /** The name of the file or folder. */
  name: string;
  numbers: number[];
  isFolder: boolean;
  /** How many of the files to remove have been sent. */
  stored: number;
  /** Finds the row that takes the place of the removed row; null when the tree is gone. */
  nextRow(): HTMLElement | null;
}

interface SendingTreeProps {
  transfer: CurrentTransfer;
  view: SendingView;
  /** Asks the person before sent files are removed. */
  onAsk(removal: Removal): void;
}

/** The files with their progress. */
export function SendingTree({ transfer, view, onAsk }: SendingTreeProps) {
  const { entries, rows, problems, version } = view;
  const t = useMessages("transferUpload");
  const leaveOut = useLeaveOut(transfer);
  const remove = (path: string, removed: readonly TransferRow[], nextRow: Removal["nextRow"]) => {
    const numbers = removed.map(({ n }) => n);
    const stored = numbers.filter((n) => entries.state(n) === "stored").length;
    if (stored === 0) leaveOut(numbers);
    else onAsk({ name: nameOf(path), numbers, isFolder: path.endsWith("/"), stored, nextRow });
  };
  const renderEntry = (row: TransferRow) => (
    <>
      <EntryState entries={entries} n={row.n} />
      {problems.some(({ n, canReload }) => n === row.n && canReload) && (
        <button
          type="button"
          aria-label={t("tryAgainFile", { name: nameOf(row.path) })}
          className="-mx-2 grid size-11 cursor-pointer place-items-center rounded-lg hover:text-reed"
          onClick={() => transfer.retryEntry(row.n)}
        >
          <RotateCcw size={18} aria-hidden />
        </button>
      )}
      <RemoveButton path={row.path} onRemove={(nextRow) => remove(row.path, [row], nextRow)} />
    </>
  );
  const renderFolder = (folder: TreeFolder<TransferRow>) => (
    <>
      <FolderProgress entries={entries} folder={folder} />
      <RemoveButton path={folder.path} onRemove={(nextRow) => remove(folder.path, folder.entries, nextRow)} />
    </>
  );
  return (
    <EntryTree
      label={t("entries")}
      entries={rows}
      version={version}
      renderEntry={renderEntry}
      renderFolder={renderFolder}
      tileOf={({ n }) => transfer.tiles.urlOf(n)}
    />
  );
}

function EntryState({ entries, n }: { entries: TransferEntries; n: number }) {
  const t = useMessages("transferUpload");
  const state = entries.state(n);
  if (state === "stored") {
    return (
      <span className="text-reed">
        <Check size={18} aria-hidden />
        <span className="sr-only">{t("stored")}</span>
      </span>
    );
  }
  if (state === "changed" || state === "unreadable") return <span className="text-amber-ink">{t(state)}</span>;
  // 100 % is shown when the server has the whole file.
  const percent = Math.min(99, entries.percent(n));
  return <>{state === "sending" ? t("percent", { percent }) : t("waiting")}</>;
}

function FolderProgress({ entries, folder }: { entries: TransferEntries; folder: TreeFolder<TransferRow> }) {
  const t = useMessages("transferUpload");
  const percent = folderPercent(entries, folder);
  return (
    <span className="flex items-center gap-2">
      <span className="w-12">
        <ProgressBar label={t("folderProgress", { name: folder.name })} percent={percent} />
      </span>
      <span className="min-w-11 text-end">{t("percent", { percent })}</span>
    </span>
  );
}

/** The percentage of a folder by bytes, or by files if there are no bytes. 100 only when everything is stored. */
function folderPercent(entries: TransferEntries, folder: TreeFolder<TransferRow>): number {
  let sentBytes = 0;
  let stored = 0;
  for (const { n, sizeBytes } of folder.entries) {
    if (entries.state(n) === "stored") stored += 1;
    sentBytes += (sizeBytes * entries.percent(n)) / 100;
  }
  if (stored === folder.entries.length) return 100;
  const share = folder.sizeBytes > 0 ? sentBytes / folder.sizeBytes : stored / folder.entries.length;
  return Math.min(99, Math.floor(100 * share));
}

interface RemovalDialogProps {
  /** The group of the dialog's messages: "requestPage" for a sender into an upload request, who never gets a link. */
  group: "requestPage" | "transferUpload";
  transfer: CurrentTransfer;
  removal: Removal;
  isFinished?: boolean;
  onClose(): void;
}

/** Asks the person before sent files are removed. */
export function RemovalDialog({ group, transfer, removal, isFinished = false, onClose }: RemovalDialogProps) {
  const t = useMessages("transferUpload");
  const tWarning = useMessages(group);
  const leaveOut = useLeaveOut(transfer);
  const { name, numbers, isFolder, stored, nextRow } = removal;
  const reportFailure = errorToast(t("removeFailed"), t("wordsFailedHelp"));
  const [isRemoving, setIsRemoving] = useState(false);
  const removeFinished = async () => {
    setIsRemoving(true);
    try {
      if (!(await transfer.removeFinished(numbers))) toast({ title: t("lastFinishedFile"), tone: "bad" });
      onClose();
    } catch (error) {
      reportFailure(error);
      setIsRemoving(false);
    }
  };
  return (
    <Question
      title={t(isFolder ? "removeFolderQuestion" : "removeQuestion")}
      text={isFolder ? tWarning("removeFolderWarning", { name, count: stored }) : tWarning("removeWarning", { name })}
      yes={t("removeIt")}
      no={t("keepIt")}
      isBusy={isRemoving}
      focusAfter={nextRow}
      onYes={() => {
        if (isFinished) void removeFinished();
        else {
          onClose();
          leaveOut(numbers);
        }
      }}
      onClose={onClose}
    />
  );
}
