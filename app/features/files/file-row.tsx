import { Clock, Link2, Mail, Pencil, QrCode, Share, Trash2 } from "lucide-react";
import { useState } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { copyText } from "#app/lib/clipboard.ts";
import { useLocale, useMessages } from "#app/lib/i18n/messages.ts";
import { shareNatively, useCanShare } from "#app/ui/sharing/native-share.ts";
import { relativeDate } from "#domain/relative-date.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Expiry } from "#app/ui/expiry.tsx";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { Button } from "#app/ui/button.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { toast } from "#app/ui/toast.ts";
import { FileDialog, type FileAction } from "./file-dialog.tsx";

export function FileRow({ file, shareUrl }: { file: ListedFile; shareUrl: string }) {
  const t = useMessages("files");
  const tCommon = useMessages("common");
  const { filename } = file;
  const [action, setAction] = useState<FileAction | null>(null);
  const canShare = useCanShare();
  const copy = async () => {
    const isCopied = await copyText(shareUrl);
    toast(
      isCopied ? { title: t("linkCopied") } : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
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
          {formatBytes(file.size, t.locale)} · <UploadDate uploadedAt={file.uploadedAt} /> ·{" "}
          {t("downloads", { count: file.downloadCount })}
        </p>
        <p className="text-sm text-muted">
          {file.isExpired ? (
            <span className="font-medium text-amber-ink">{t("expired")}</span>
          ) : (
            <Expiry expiresAt={file.expiresAt} />
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button look="quiet" disabled={file.isExpired} onClick={() => void copy()}>
          <Link2 size={18} aria-hidden />
          {t("copyLink")}
        </Button>
        <Button look="danger" className="px-3!" aria-label={t("deleteFile", { filename })} onClick={choose("delete")}>
          <Trash2 size={18} aria-hidden />
        </Button>
        {!file.isExpired && (
          <Menu label={t("more", { filename })}>
            {canShare && (
              <MenuItem icon={<Share size={18} aria-hidden />} onSelect={() => void shareNatively(filename, shareUrl)}>
                {t("share")}
              </MenuItem>
            )}
            <MenuItem icon={<Mail size={18} aria-hidden />} onSelect={choose("mail")}>
              {tCommon("sendByMail")}
            </MenuItem>
            <MenuItem icon={<QrCode size={18} aria-hidden />} onSelect={choose("qr")}>
              {t("showQr")}
            </MenuItem>
            <MenuItem icon={<Clock size={18} aria-hidden />} onSelect={choose("expiry")}>
              {t("changeExpiry")}
            </MenuItem>
            <MenuItem icon={<Pencil size={18} aria-hidden />} onSelect={choose("rename")}>
              {t("rename")}
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

/** The date in UTC until hydrated: the server does not know the reader's time zone. */
function UploadDate({ uploadedAt }: { uploadedAt: string }) {
  const locale = useLocale();
  const hydrated = useHydrated();
  const [now] = useState(() => new Date());
  return (
    <time dateTime={uploadedAt}>
      {hydrated ? relativeDate(new Date(uploadedAt), now, locale) : uploadedAt.slice(0, 10)}
    </time>
  );
}
