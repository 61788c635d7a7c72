import { useNavigate } from "@remix-run/react";
import { Clock, Info, LockKeyhole, Mail, Pencil, QrCode, Share, Tag } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { mailtoLink, shareNatively, useCanShare } from "#app/ui/sharing/ways-to-share.ts";
import type { FileAction } from "./file-dialog.tsx";
import { nameOf, type ShownFile } from "./shown-file.tsx";

interface FileMenuProps extends ShownFile {
  /** Whether the menu has an item that leads to the page of the file. */
  hasDetails?: boolean;
  onChoose(action: FileAction): void;
}

/** The menu with the owner's actions on a file or transfer. */
export function FileMenu({ file, shareUrl, hasDetails = false, onChoose }: FileMenuProps) {
  const t = useMessages("files");
  const tSharing = useMessages("sharing");
  const tGuards = useMessages("guards");
  const tSealing = useMessages("sealing");
  const navigate = useNavigate();
  const canShare = useCanShare();
  const filename = nameOf(file);
  const choose = (action: FileAction) => () => onChoose(action);
  return (
    <Menu label={t("more", { filename })}>
      {hasDetails && (
        <MenuItem icon={Info} onSelect={() => navigate(`/dashboard/${file.id}`)}>
          {t("details")}
        </MenuItem>
      )}
      {shareUrl !== null && (
        <>
          {canShare && (
            <MenuItem icon={Share} onSelect={() => void shareNatively(filename, shareUrl)}>
              {tSharing("share")}
            </MenuItem>
          )}
          <MenuItem
            icon={Mail}
            onSelect={() => {
              // Our mailer must not see the key of a sealed link.
              if (file.seal)
                location.href = mailtoLink(filename, tSealing("mailBody", { name: filename, url: shareUrl }));
              else onChoose("mail");
            }}
          >
            {tSharing("sendByMail")}
          </MenuItem>
          <MenuItem icon={QrCode} onSelect={choose("qr")}>
            {t("showQr")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={Clock} onSelect={choose("expiry")}>
        {t("changeExpiry")}
      </MenuItem>
      <MenuItem icon={LockKeyhole} onSelect={choose("guards")}>
        {tGuards("protect")}
      </MenuItem>
      <MenuItem icon={Tag} onSelect={choose("labels")}>
        {t("labels")}
      </MenuItem>
      {shareUrl === null ? null : file.entries === undefined ? (
        <MenuItem icon={Pencil} onSelect={choose("rename")}>
          {t("rename")}
        </MenuItem>
      ) : (
        <MenuItem icon={Pencil} onSelect={choose("edit")}>
          {t("editTransfer")}
        </MenuItem>
      )}
    </Menu>
  );
}
