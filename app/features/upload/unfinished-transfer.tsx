import { Link, useNavigate } from "@remix-run/react";
import { RotateCcw } from "lucide-react";
import { useRef, type ChangeEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { currentUpload } from "./current-upload.ts";
import { UnfinishedRow } from "./unfinished-row.tsx";
import { useMayGoOn } from "./use-may-go-on.ts";
import { useUpload } from "./use-upload.ts";

/** An unfinished transfer of many files. It goes on in the home page's card, which shows what differs. */
export function UnfinishedTransfer({ upload, isLive }: { upload: UnfinishedUpload; isLive: boolean }) {
  const t = useMessages("transferUpload");
  const navigate = useNavigate();
  const mayGoOn = useMayGoOn();
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const current = useUpload();
  const view = current.mode === "transfer" ? current.view : null;
  const isHere = view?.phase === "sending" && view.link?.uploadId === upload.uploadId;
  const { filename: name, entries: count = 0 } = upload;
  const size = formatBytes(upload.size, t.locale);
  const input = {
    type: "file",
    hidden: true,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      const items = Array.from(target.files ?? [], (file) => ({ entry: null, file }));
      target.value = "";
      if (items.length === 0 || !mayGoOn()) return;
      currentUpload.openTransfer({ items, unfinished: upload });
      navigate("/");
    },
  };
  return (
    <UnfinishedRow
      upload={upload}
      isLive={isLive}
      percentHere={isHere ? view.progress.percent : null}
      describe={(percent) => t(isHere ? "unfinishedHere" : "unfinishedOf", { count, percent, size })}
    >
      {isHere ? (
        <Link to="/" className={buttonClass("quiet")}>
          {t("showUpload")}
        </Link>
      ) : upload.fingerprint == null ? (
        <p className="text-sm text-muted">{t("goesOnElsewhere")}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {/* Devices without a mouse, such as phones, choose no folders. */}
          <Button
            look="quiet"
            className="hidden! any-pointer-fine:inline-flex!"
            onClick={() => mayGoOn() && folder.current?.click()}
          >
            <RotateCcw size={18} aria-hidden />
            {t("goOnFolder")}
          </Button>
          <Button look="quiet" onClick={() => mayGoOn() && files.current?.click()}>
            <RotateCcw size={18} aria-hidden className="any-pointer-fine:hidden" />
            {t("goOnFiles")}
          </Button>
        </div>
      )}
      <input ref={folder} {...input} aria-label={t("goOnFolderOf", { name })} {...{ webkitdirectory: "" }} />
      <input ref={files} {...input} aria-label={t("goOnFilesOf", { name })} multiple />
    </UnfinishedRow>
  );
}
