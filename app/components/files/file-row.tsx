import { Clock, Link2, Mail, Pencil, QrCode, Share, Trash2 } from "lucide-react";
import { useState } from "react";
import { useHydrated } from "#app/clock.ts";
import { copyText } from "#app/clipboard.ts";
import { useLocale, useMessages } from "#app/messages/messages.ts";
import { shareNatively, useCanShare } from "#app/native-share.ts";
import { relativeDate } from "#domain/relative-date.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Expiry } from "../expiry.tsx";
import { FileIcon } from "../file-icon.tsx";
import { Button } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { toast } from "../ui/toast.tsx";
import { FileDialog, type FileAction } from "./file-dialog.tsx";

/** One finished file and what its owner may do with it. */
export function FileRow({ file, shareUrl }: { file: ListedFile; shareUrl: string }) {
  const say = useMessages("files");
  const sayCommon = useMessages("common");
  const { filename } = file;
  const [action, setAction] = useState<FileAction | null>(null);
  const canShare = useCanShare();
  const copy = async () => {
    const done = await copyText(shareUrl);
    toast(
      done
        ? { title: say("linkCopied") }
        : { title: say("copyFailed"), description: say("copyFailedHelp"), tone: "bad" },
    );
  };
  const choose = (chosen: FileAction) => () => {
    setAction(chosen);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-3 py-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-sunken text-reed">
        <FileIcon filename={filename} />
      </span>
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-medium" title={filename}>
          {filename}
        </p>
        <p className="text-sm text-muted">
          {formatBytes(file.size, say.locale)} · <UploadDate uploadedAt={file.uploadedAt} /> ·{" "}
          {say("downloads", { count: file.downloadCount })}
        </p>
        <p className="text-sm text-muted">
          {file.isExpired ? (
            <span className="font-medium text-amber-ink">{say("expired")}</span>
          ) : (
            <Expiry expiresAt={file.expiresAt} />
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button look="quiet" disabled={file.isExpired} onClick={() => void copy()}>
          <Link2 size={18} aria-hidden />
          {say("copyLink")}
        </Button>
        <Button look="danger" className="px-3!" aria-label={say("deleteFile", { filename })} onClick={choose("delete")}>
          <Trash2 size={18} aria-hidden />
        </Button>
        {!file.isExpired && (
          <Menu label={say("more", { filename })}>
            {canShare && (
              <MenuItem icon={<Share size={18} aria-hidden />} onSelect={() => void shareNatively(filename, shareUrl)}>
                {say("share")}
              </MenuItem>
            )}
            <MenuItem icon={<Mail size={18} aria-hidden />} onSelect={choose("mail")}>
              {sayCommon("sendByMail")}
            </MenuItem>
            <MenuItem icon={<QrCode size={18} aria-hidden />} onSelect={choose("qr")}>
              {say("showQr")}
            </MenuItem>
            <MenuItem icon={<Clock size={18} aria-hidden />} onSelect={choose("expiry")}>
              {say("changeExpiry")}
            </MenuItem>
            <MenuItem icon={<Pencil size={18} aria-hidden />} onSelect={choose("rename")}>
              {say("rename")}
            </MenuItem>
          </Menu>
        )}
      </div>
      {action && (
        <FileDialog
          action={action}
          file={file}
          shareUrl={shareUrl}
          onClose={() => {
            setAction(null);
          }}
        />
      )}
    </li>
  );
}

/** Which day it was depends on the reader's time zone, which only the browser knows. */
function UploadDate({ uploadedAt }: { uploadedAt: string }) {
  const locale = useLocale();
  const hydrated = useHydrated();
  return (
    <time dateTime={uploadedAt}>
      {hydrated ? relativeDate(new Date(uploadedAt), new Date(), locale) : uploadedAt.slice(0, 10)}
    </time>
  );
}
