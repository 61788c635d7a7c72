import { Mail, QrCode, Share } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { shareNatively, useCanShare } from "./ways-to-share.ts";

interface LinkButtonsProps {
  /** The name of the file or transfer behind the link. */
  name: string;
  url: string;
  /** A `mailto:` address, or a function that opens the mail dialog. Null: no mail button. */
  mail?: string | (() => void) | null;
  onQr(): void;
  /** More buttons. */
  children?: ReactNode;
}

/** Buttons to pass a link on by other ways than copying. */
export function LinkButtons({ name, url, mail = null, onQr, children }: LinkButtonsProps) {
  const t = useMessages("sharing");
  const canShare = useCanShare();
  const mailLabel = (
    <>
      <Mail size={18} aria-hidden />
      {t("email")}
    </>
  );
  return (
    <div className="flex flex-wrap gap-2">
      {canShare && (
        <Button icon={Share} look="quiet" onClick={() => void shareNatively(name, url)}>
          {t("share")}
        </Button>
      )}
      {typeof mail === "string" && (
        <a href={mail} className={buttonClass("quiet")}>
          {mailLabel}
        </a>
      )}
      {typeof mail === "function" && (
        <Button look="quiet" onClick={mail}>
          {mailLabel}
        </Button>
      )}
      <Button icon={QrCode} look="quiet" onClick={onQr}>
        {t("qrCode")}
      </Button>
      {children}
    </div>
  );
}
