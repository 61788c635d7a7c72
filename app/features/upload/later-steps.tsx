import { lazy, useState, useEffect, useRef } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { automaticHours, DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { formatBytes } from "#domain/units.ts";
import { type CardState, currentUpload, type FailedUpload } from "./current-upload.ts";
import { ExpirationSelect, ProtectLink } from "./link-choice-fields.tsx";
import { isChoiceWrong, type LinkChoiceProps, type Wording } from "./link-choice.ts";
import { ProtectionSummary, ProtectionDialog } from "./protection-summary.tsx";
import { SendingCard } from "./sending.tsx";
import { SentFile } from "./sent.tsx";

const TransferSteps = lazy(() => importWhenOnline(() => import("./transfer/transfer-steps.tsx")));

export interface LaterStepsProps extends LinkChoiceProps {
  upload: CardState;
  /** A file to confirm: a large one, or one that another app shared. */
  fileToConfirm: File | null;
  onSend(file: File): void;
  onBack(): void;
}

/** The content of the upload card after the choice of files, or above the choice after a failure. */
export default function LaterSteps({ upload, fileToConfirm, onSend, onBack, ...expiration }: LaterStepsProps) {
  const { wording } = expiration;
  if (upload.mode === "sending" || upload.mode === "done") return <SingleFile upload={upload} wording={wording} />;
  if (upload.mode === "transfer") return <TransferSteps {...expiration} {...upload} />;
  if (!fileToConfirm) return upload.failed && <UploadFailed failed={upload.failed} />;
  return <ConfirmFile {...expiration} file={fileToConfirm} onSend={() => onSend(fileToConfirm)} onBack={onBack} />;
}

interface ConfirmFileProps extends LinkChoiceProps {
  file: File;
  onSend(): void;
  onBack(): void;
}

function ConfirmFile({ file, onSend, onBack, ...link }: ConfirmFileProps) {
  const t = useMessages("uploads");
  const { choice, onChoice } = link;
  // Begins at 1 if the protection is wrong, because the card then asks for confirmation and shows the error.
  const [refusals, setRefusals] = useState(choice.isProtectionWrong ? 1 : 0);
  const hours = automaticHours({ expiration: DEFAULT_EXPIRATION, expirationChosen: false, sizeBytes: file.size });
  return (
    <div className="grid gap-5">
      <div>
        <h2 className="font-medium break-words">{file.name}</h2>
        <p className="text-sm text-muted">{formatBytes(file.size, t.locale)}</p>
      </div>
      {hours !== null && !choice.expirationChosen && (
        <p role="status" className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
          {t("largeFile", { hours })}
        </p>
      )}
      <ExpirationSelect {...link} automaticHours={hours} />
      <ProtectLink choice={choice} onChoice={onChoice} refusals={refusals} />
      <div className="grid grid-cols-[auto_1fr] gap-3">
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        {/* Enter sends the file that was just chosen. */}
        <Button
          autoFocus
          onClick={() => {
            if (isChoiceWrong(choice)) setRefusals(refusals + 1);
            else onSend();
          }}
        >
          {t("upload")}
        </Button>
      </div>
    </div>
  );
}

interface SingleFileProps {
  upload: Extract<CardState, { mode: "sending" | "done" }>;
  wording: Wording;
}

/** A file that is being sent or has arrived. An open dialog stays open when the file arrives. */
function SingleFile({ upload, wording }: SingleFileProps) {
  const { link } = upload;
  const [isProtecting, setProtecting] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The previous step is gone, and with it the element that had the focus.
    if (document.activeElement === document.body) step.current?.focus({ preventScroll: true });
  }, [upload.mode]);
  const protection = link && <ProtectionSummary known={link} onOpen={() => setProtecting(true)} />;
  return (
    <div ref={step} tabIndex={-1} className="outline-none">
      {upload.mode === "sending" ? (
        <SendingCard upload={upload} wording={wording} protection={protection} />
      ) : (
        <SentFile
          result={{ ...upload.result, ...(link && { shareUrl: link.shareUrl }) }}
          wording={wording}
          guards={link?.guards}
          tile={upload.tile}
          protection={protection}
        />
      )}
      {link && isProtecting && (
        <ProtectionDialog
          id={link.uploadId}
          name={upload.mode === "sending" ? upload.file.name : upload.result.filename}
          known={link}
          onChange={(known) => currentUpload.setGuards(known)}
          onClose={() => setProtecting(false)}
        />
      )}
    </div>
  );
}

function UploadFailed({ failed }: { failed: FailedUpload }) {
  const t = useMessages("uploads");
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-danger bg-sunken p-4">
      <p className="text-sm">
        {t.rich("notUploaded", {
          filename: failed.file.name,
          file: (name) => (
            <span key="file" className="font-medium break-words">
              {name}
            </span>
          ),
        })}
        {failed.started && ` ${t("keptForADay")}`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => currentUpload.start(failed)}>{t("tryAgain")}</Button>
        <Button look="quiet" onClick={() => currentUpload.cancel()}>
          {t("discard")}
        </Button>
      </div>
    </div>
  );
}
