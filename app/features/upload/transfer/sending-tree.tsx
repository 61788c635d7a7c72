import { Check, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { EntryTree } from "#app/ui/entries/entry-tree.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import type { TransferEntries } from "../engine/transfer/transfer-entries.ts";
import { Confirm } from "./confirm.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { nameOf } from "./list-draft.ts";
import { RemoveButton } from "./remove-button.tsx";
import { useLeaveOut } from "./sending-problems.tsx";
import type { SendingView, TransferRow } from "./transfer-view.ts";

interface Removal {
  name: string;
  numbers: number[];
  isFolder: boolean;
  /** How many have been sent. */
  stored: number;
}

/** The files with their progress. One that has been sent is removed after a question. */
export function SendingTree({ transfer, view }: { transfer: CurrentTransfer; view: SendingView }) {
  const { entries, rows, problems, version } = view;
  const t = useMessages("transferUpload");
  const leaveOut = useLeaveOut(transfer);
  const [asked, setAsked] = useState<Removal | null>(null);
  const remove = (path: string, removed: readonly TransferRow[]) => {
    const numbers = removed.map(({ n }) => n);
    const stored = numbers.filter((n) => entries.state(n) === "stored").length;
    if (stored === 0) leaveOut(numbers);
    else setAsked({ name: nameOf(path), numbers, isFolder: path.endsWith("/"), stored });
  };
  const renderEntry = (row: TransferRow) => (
    <>
      <EntryState entries={entries} n={row.n} />
      {problems.some(({ n, canReload }) => n === row.n && canReload) && (
        <button
          type="button"
          aria-label={t("tryAgainFile", { name: nameOf(row.path) })}
          className="-mx-2 grid size-11 cursor-pointer place-items-center rounded-lg hover:text-reed"
          onClick={() => {
            transfer.retryEntry(row.n);
          }}
        >
          <RotateCcw size={18} aria-hidden />
        </button>
      )}
      <RemoveButton
        path={row.path}
        onRemove={() => {
          remove(row.path, [row]);
        }}
      />
    </>
  );
  const renderFolder = (folder: TreeFolder<TransferRow>) => (
    <>
      <FolderProgress entries={entries} folder={folder} />
      <RemoveButton
        path={folder.path}
        onRemove={() => {
          remove(folder.path, folder.entries);
        }}
      />
    </>
  );
  return (
    <>
      <EntryTree
        label={t("entries")}
        entries={rows}
        version={version}
        renderEntry={renderEntry}
        renderFolder={renderFolder}
      />
      {asked && (
        <Confirm
          title={t(asked.isFolder ? "removeFolderQuestion" : "removeQuestion")}
          text={
            asked.isFolder
              ? t("removeFolderWarning", { name: asked.name, count: asked.stored })
              : t("removeWarning", { name: asked.name })
          }
          yes={t("removeIt")}
          no={t("keepIt")}
          onYes={() => {
            leaveOut(asked.numbers);
          }}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </>
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
  // Not there before the server has all of it.
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

/** By bytes; by files where there are no bytes. 100 only when everything is there. */
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
