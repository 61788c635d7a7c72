import { Download } from "lucide-react";
import { useContext, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { Day } from "#app/ui/moments.tsx";
import { formatBytes } from "#domain/units.ts";
import { Checksum } from "../checksum.tsx";
import { DownloadLink, ProtectedLinkContext } from "../protection/protected-link-context.tsx";
import { FilePreview } from "../preview/file-preview.tsx";
import { forRecipient, useRecipient } from "../recipient.ts";
import { ReportFile } from "../report-file.tsx";
import { SealedPageContext } from "../sealed/sealed-context.ts";
import { type TransferEntry, entryUrl } from "./entry-list.ts";

interface EntryDialogProps {
  downloadId: string;
  entry: TransferEntry;
  /** The address that follows the upload of an entry that is still arriving. */
  followUrl: string | undefined;
  /** Says what a download of an arriving entry waits for. */
  notes: ReactNode;
  onClose(): void;
}

/** Shows one file of a transfer: its preview, checksum and links. */
export default function EntryDialog({ downloadId, entry, followUrl, notes, onClose }: EntryDialogProps) {
  const t = useMessages("transfers");
  const tDownload = useMessages("download");
  const protectedLink = useContext(ProtectedLinkContext);
  const recipient = useRecipient();
  const { n, path, sizeBytes, type, modifiedAt, sha256 } = entry;
  const name = nameOf(path);
  const url = entryUrl(downloadId, n);
  const isArriving = followUrl !== undefined;
  const isSealed = useContext(SealedPageContext) !== null;
  // A film that began to play while it arrived keeps its URL when all of it is there, so it plays on.
  const [wasArriving] = useState(isArriving);
  return (
    <Dialog
      wide
      title={name}
      description={
        <>
          {formatBytes(sizeBytes, t.locale)} · <Day moment={modifiedAt} />
        </>
      }
      onClose={onClose}
    >
      <DownloadLink
        href={forRecipient(followUrl ?? `${url}/content`, recipient)}
        className={buttonClass("primary", true)}
      >
        <Download size={20} aria-hidden />
        {tDownload(isArriving ? "downloadNow" : "download")}
      </DownloadLink>
      {isArriving && <p className="mt-2 text-center text-sm text-muted">{tDownload("keepsPace")}</p>}
      {notes}
      {protectedLink?.notes}
      {(!isArriving || !isSealed) && (
        <FilePreview
          wasRequested={!wasArriving}
          file={{ filename: name, size: sizeBytes, mimeType: type }}
          url={`${url}/preview${wasArriving && !isSealed ? "?follow=1" : ""}`}
          isArriving={isArriving}
        />
      )}
      {sha256 !== undefined && <Checksum sha256={sha256} source="SHA-256" />}
      <ReportFile downloadId={downloadId} name={name} label={tDownload("reportFile")} entry={n} />
    </Dialog>
  );
}
