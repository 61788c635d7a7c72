import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { clearPendingFile } from "#app/lib/pending-file.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { ChooseFile } from "./choose-file.tsx";
import type { UploadState } from "./current-upload.ts";
import type { DroppedItem } from "./engine/transfer/dropped-items.ts";
import type { ExpirationProps } from "./expiration-choice.ts";
import { Sending } from "./sending.tsx";
import { UploadFailed } from "./upload-failed.tsx";

const loadSent = () => importWhenOnline(() => import("./sent.tsx"));
const Sent = lazy(() => loadSent().then(({ Sent }) => ({ default: Sent })));
const ConfirmFile = lazy(() =>
  importWhenOnline(() => import("./confirm-file.tsx")).then(({ ConfirmFile }) => ({ default: ConfirmFile })),
);
const TransferSteps = lazy(() =>
  importWhenOnline(() => import("./transfer/transfer-steps.tsx")).then(({ TransferSteps }) => ({
    default: TransferSteps,
  })),
);

interface UploadStepsProps extends ExpirationProps {
  upload: UploadState;
  /** A large file, or one that another app shared. */
  fileToConfirm: File | null;
  /** Several files or folders can be sent. */
  takesMany: boolean;
  onFile(file: File): void;
  onMany(items: DroppedItem[]): void;
  onPrepare(): void;
  onSend(file: File): void;
  onBack(): void;
  notice?: ReactNode;
  footnote?: ReactNode;
}

export function UploadSteps(props: UploadStepsProps) {
  const {
    upload,
    fileToConfirm,
    notice,
    footnote,
    takesMany,
    onFile,
    onMany,
    onPrepare,
    onSend,
    onBack,
    ...expiration
  } = props;
  const t = useMessages("uploads");
  const { wording } = expiration;
  const isSending = upload.mode === "sending";
  useEffect(() => {
    if (isSending) loadSent().catch(() => undefined);
  }, [isSending]);
  if (upload.mode === "sending") return <Sending upload={upload} wording={wording} />;
  if (upload.mode !== "idle" || fileToConfirm) {
    return (
      <Suspense fallback={<p>{t("starting")}</p>}>
        {upload.mode === "done" ? (
          <Sent result={upload.result} wording={wording} />
        ) : upload.mode === "transfer" ? (
          <TransferSteps {...expiration} {...upload} />
        ) : (
          fileToConfirm && (
            <ConfirmFile
              {...expiration}
              file={fileToConfirm}
              onSend={() => {
                onSend(fileToConfirm);
              }}
              onBack={onBack}
            />
          )
        )}
      </Suspense>
    );
  }
  return (
    <div className="grid gap-5">
      {upload.failed && <UploadFailed failed={upload.failed} />}
      {notice}
      <ChooseFile
        {...expiration}
        takesMany={takesMany}
        onPrepare={onPrepare}
        onFile={(file) => {
          clearPendingFile();
          onFile(file);
        }}
        onMany={onMany}
      />
      {footnote}
    </div>
  );
}
