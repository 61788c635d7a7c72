import { Download } from "lucide-react";
import { useContext } from "react";
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
import { type TransferEntry, entryUrl } from "./entry-list.ts";

interface EntryDialogProps {
  downloadId: string;
  entry: TransferEntry;
  onClose(): void;
}

/** Shows one file of a transfer: its preview, checksum and links. */
export default function EntryDialog({ downloadId, entry, onClose }: EntryDialogProps) {
  const t = useMessages("transfers");
  const tDownload = useMessages("download");
  const protectedLink = useContext(ProtectedLinkContext);
  const recipient = useRecipient();
  const { n, path, sizeBytes, type, modifiedAt, sha256 } = entry;
  const name = nameOf(path);
  const url = entryUrl(downloadId, n);
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
      <DownloadLink href={forRecipient(`${url}/content`, recipient)} className={buttonClass("primary", true)}>
        <Download size={20} aria-hidden />
        {tDownload("download")}
      </DownloadLink>
      {protectedLink?.notes}
      <FilePreview wasRequested file={{ filename: name, size: sizeBytes, mimeType: type }} url={`${url}/preview`} />
      {sha256 !== undefined && <Checksum sha256={sha256} source="SHA-256" />}
      <ReportFile downloadId={downloadId} name={name} label={tDownload("reportFile")} entry={n} />
    </Dialog>
  );
}
