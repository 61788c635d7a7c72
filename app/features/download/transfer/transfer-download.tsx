import { Download, FolderDown } from "lucide-react";
import { lazy, Suspense, useContext, useMemo, useState } from "react";
import { useHydrated, useNow } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { countFiles } from "#app/ui/entries/count-files.ts";
import type { TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { EntryTree } from "#app/ui/entries/entry-tree.tsx";
import { isSenderSilent, type ProgressSample } from "#domain/arrival-estimate.ts";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo, ListedEntries, TransferInfo } from "#domain/wire.ts";
import { ArrivalProgress } from "../arrival-progress.tsx";
import { LinkHeading } from "../file-download.tsx";
import type { Look } from "../pictures/look.ts";
import { DownloadLink, ProtectedLinkContext } from "../protection/protected-link-context.tsx";
import { forRecipient, useRecipient } from "../recipient.ts";
import { ReportFile } from "../report-file.tsx";
import { RiskNote } from "../risk-note.tsx";
import { ScanNote } from "../scan-note.tsx";
import { SealedPageContext } from "../sealed/sealed-context.ts";
import { TimeLeft } from "../time-left.tsx";
import { useFollowingStart, type FollowingStart } from "../use-following-start.ts";
import { useRefetchPlan } from "../use-refetch-plan.ts";
import { EntryCells, FolderCells } from "./entry-cells.tsx";
import { type EntryListSnapshot, type TransferEntry, useEntryList, entryUrl, followUrlOf } from "./entry-list.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useSelection } from "./selection.ts";
import { useCheckedDownloads } from "./use-checked-downloads.ts";
import { useLiveTransfer } from "./use-live-transfer.ts";

const PicturedFiles = lazy(() => importWhenOnline(() => import("../pictures/pictured-files.tsx")));
const EntryDialog = lazy(() => importWhenOnline(() => import("./entry-dialog.client.tsx")));

interface TransferDownloadProps {
  downloadId: string;
  info: DownloadInfo;
  transfer: TransferInfo;
  /** The beginning of the transfer's list of files. */
  first: ListedEntries;
  /** How this person has chosen to see files with pictures; null for no choice. */
  look: Look | null;
}

/** The page of a transfer, during its upload and afterwards. */
export default function TransferDownload({ downloadId, info, transfer, first, look }: TransferDownloadProps) {
  const t = useMessages("transfers");
  const tDownload = useMessages("download");
  const isReady = info.status === "ready";
  const [list, shown] = useEntryList(downloadId, first, isReady ? null : (transfer.stored ?? []));
  const samples = useLiveTransfer(downloadId, info, list);
  const { entries, isComplete, version } = shown;
  const selection = useSelection(list, shown);
  const [details, setDetails] = useState<TransferEntry | null>(null);
  const isSealed = useContext(SealedPageContext) !== null;
  const refetchPlan = useRefetchPlan();
  const following = useFollowingStart();
  const [isFollowing, setFollowing] = useState(false);
  const { start, onClick } = useCheckedDownloads(downloadId, refetchPlan, (href) =>
    following.start(href, () => {
      setFollowing(true);
      refetchPlan();
    }),
  );
  const protectedLink = useContext(ProtectedLinkContext);
  const linkForm = protectedLink?.formId;
  const addressOf = protectedLink?.hrefOf;
  const recipient = useRecipient();
  const archiveUrl = forRecipient(info.downloadUrl ?? `/api/files/download/${downloadId}/content`, recipient);
  const hydrated = useHydrated();
  const { fileCount, bytes } = sizeOf(transfer, shown);
  const rows = useMemo(() => {
    // Only the folders of the last loaded entry may be incomplete, since the list is in the order of its folders.
    const isPartial = (folder: TreeFolder<TransferEntry>) => !isComplete && folder.entries.at(-1) === entries.at(-1);
    const followUrl = (entry: TransferEntry) => followUrlOf(downloadId, entry, list.stateOf(entry), isSealed);
    return {
      renderEntry: (entry: TransferEntry) => (
        <EntryCells
          entry={entry}
          state={list.stateOf(entry)}
          percent={list.percentOf(entry.n)}
          isFollowable={followUrl(entry) !== undefined}
          onShowDetails={() => setDetails(entry)}
        />
      ),
      renderFolder: (folder: TreeFolder<TransferEntry>) => (
        <FolderCells folder={folder} isPartial={isPartial(folder)} />
      ),
      renderNote: (item: TransferEntry | TreeFolder<TransferEntry>) => {
        const isSizeKnown = "entries" in item ? !isPartial(item) : !item.path.endsWith("/");
        return isSizeKnown && formatBytes(item.sizeBytes, t.locale);
      },
      linkForm,
      hrefOf: (entry: TransferEntry) => {
        const isStored = list.stateOf(entry) === "stored" && !entry.path.endsWith("/");
        const bytes = isStored ? `${entryUrl(downloadId, entry.n)}/content` : followUrl(entry);
        if (bytes === undefined) return null;
        const href = forRecipient(bytes, recipient);
        return addressOf ? addressOf(href) : href;
      },
      onEndVisible: () => void list.loadMore(),
    };
  }, [list, downloadId, entries, isComplete, isSealed, linkForm, addressOf, recipient, t.locale]);
  const percent = Math.max(info.progress ?? 0, samples.at(-1)?.percent ?? 0);
  const notes = isReady ? null : (
    <FollowingNotes following={following} isFollowing={isFollowing} percent={percent} samples={samples} />
  );
  // The list may have been read again since the dialog was opened.
  const shownDetails = details && (entries.find(({ n }) => n === details.n) ?? details);
  // Hidden without scripts, because selecting needs a script.
  const selectAll = (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-3 ps-5 text-sm font-medium noscript:invisible">
      <input
        type="checkbox"
        className="size-4.5 accent-reed"
        checked={selection.isAll}
        disabled={!hydrated || !selection.isAny}
        onChange={selection.toggleAll}
      />
      {t("selectAll")}
    </label>
  );
  const tree = (
    <EntryTree
      label={t("files")}
      entries={entries}
      total={isComplete ? entries.length : Math.max(transfer.entries, entries.length + 1)}
      {...rows}
      selection={selection.tree}
      version={version}
    />
  );
  const plainFiles = (
    <>
      <div className="mt-4">{selectAll}</div>
      {tree}
    </>
  );
  const hasPictures = transfer.pictures !== undefined;
  // What the server has rendered is hydrated with the card: a boundary of its own may not change before it has loaded.
  const [isRendered] = useState(!hydrated && hasPictures);
  let files = plainFiles;
  if (hasPictures) {
    const pictured = (
      <PicturedFiles
        downloadId={downloadId}
        list={list}
        shown={shown}
        selection={selection.tree}
        chosenLook={look}
        onShowDetails={setDetails}
        selectAll={selectAll}
      >
        {tree}
      </PicturedFiles>
    );
    files = isRendered ? pictured : <Suspense fallback={plainFiles}>{pictured}</Suspense>;
  }
  return (
    <Card>
      {/* Handles clicks on all download links, because the clicks bubble up to here, those in the dialog too. */}
      <div onClick={onClick}>
        <LinkHeading
          icon={<FolderDown size={28} aria-hidden />}
          state={isReady ? t("ready") : tDownload("onItsWay")}
          isReady={isReady}
          title={transfer.title}
          details={t("countAndSize", { count: fileCount, size: formatBytes(bytes, t.locale) })}
        />
        {transfer.message !== null && (
          <p dir="auto" className="mt-5 rounded-2xl border border-line px-4 py-3 break-words whitespace-pre-wrap">
            {transfer.message}
          </p>
        )}
        <RiskNote kinds={info.risk} isTransfer />
        {isReady ? (
          <>
            <TimeLeft downloadId={downloadId} expiresAt={info.expiresAt ?? null} warning={t("littleTime")} />
            <DownloadLink href={archiveUrl} className={`${buttonClass("primary", true)} mt-5 sm:text-lg`}>
              <Download size={22} aria-hidden className="shrink-0" />
              <span className="text-center text-balance">
                {t("downloadAll", { size: formatBytes(info.size, t.locale) })}
              </span>
            </DownloadLink>
          </>
        ) : (
          <>
            <TransferProgress percent={percent} samples={samples} />
            {details === null && notes}
          </>
        )}
        <ScanNote scan={info.scan} />
        {protectedLink?.notes}
        {protectedLink?.renderForm((href) => void start(href))}
        {entries.length === 0 ? <p className="mt-6 text-muted">{t("noFilesYet")}</p> : files}
        {(selection.entries.length > 0 || selection.isLoading) && (
          <SelectionBar
            selected={selection.entries}
            archiveUrl={archiveUrl}
            isLoading={selection.isLoading}
            onClear={selection.clear}
          />
        )}
        {shownDetails && (
          <Suspense>
            <EntryDialog
              downloadId={downloadId}
              entry={shownDetails}
              followUrl={followUrlOf(downloadId, shownDetails, list.stateOf(shownDetails), isSealed)}
              notes={notes}
              onClose={() => setDetails(null)}
            />
          </Suspense>
        )}
      </div>
      <ReportFile downloadId={downloadId} name={transfer.title} label={t("reportTransfer")} />
    </Card>
  );
}

/** Prefers a complete list to the sender's totals, which count removed files until the transfer is ready. */
function sizeOf({ entries, bytes }: TransferInfo, list: EntryListSnapshot) {
  if (!list.isComplete) return { fileCount: entries, bytes };
  return {
    fileCount: countFiles(list.entries),
    bytes: list.entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

interface FollowingNotesProps {
  following: Pick<FollowingStart, "isAsking" | "problem">;
  /** Whether the browser has a download that follows the upload. */
  isFollowing: boolean;
  percent: number;
  samples: readonly ProgressSample[];
}

/** Says what downloads of arriving files wait for, and why one was not started. */
function FollowingNotes({ following, isFollowing, percent, samples }: FollowingNotesProps) {
  const t = useMessages("download");
  const tTransfers = useMessages("transfers");
  const now = useNow();
  const isSilent = now !== null && isSenderSilent(samples, now);
  const isWaiting = following.isAsking || (isFollowing && isSilent);
  return (
    <>
      <p role="status" className="mt-2 text-sm empty:hidden">
        {isWaiting && (
          <>
            <span className="block font-medium text-amber-ink">
              {t("waitingForSender", { percent: Math.floor(percent) })}
            </span>
            <span className="text-muted">{isFollowing && t("waitingHelp")}</span>
          </>
        )}
        {isFollowing && !isWaiting && <span className="text-muted">{tTransfers("followRunning")}</span>}
      </p>
      {following.problem !== null && (
        <p role="alert" className="mt-3 rounded-2xl border border-amber px-4 py-3 text-sm">
          {following.problem}
        </p>
      )}
    </>
  );
}

/** Shows how much of a transfer has arrived. Screen readers hear each tenth. */
function TransferProgress({ percent, samples }: { percent: number; samples: readonly ProgressSample[] }) {
  const t = useMessages("transfers");
  const tenth = Math.floor(percent / 10) * 10;
  return (
    <>
      <ArrivalProgress percent={percent} samples={samples} />
      <p role="status" className="sr-only">
        {tenth > 0 && t("arrived", { percent: tenth })}
      </p>
      <p className="mt-2 text-muted">{t("stillUploading")}</p>
    </>
  );
}
