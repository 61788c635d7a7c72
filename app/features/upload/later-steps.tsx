import { lazy } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { ConfirmFile } from "./confirm-file.tsx";
import type { UploadState } from "./current-upload.ts";
import type { LinkChoiceProps } from "./link-choice.ts";
import { SingleFile } from "./single-file.tsx";
import { UploadFailed } from "./upload-failed.tsx";

const TransferSteps = lazy(() =>
  importWhenOnline(() => import("./transfer/transfer-steps.tsx")).then(({ TransferSteps }) => ({
    default: TransferSteps,
  })),
);

export interface LaterStepsProps extends LinkChoiceProps {
  upload: UploadState;
  /** A large file, or one that another app shared. */
  fileToConfirm: File | null;
  onSend(file: File): void;
  onBack(): void;
}

/** What the upload card shows after the choice of files, or above it after a failure. */
export function LaterSteps({ upload, fileToConfirm, onSend, onBack, ...expiration }: LaterStepsProps) {
  const { wording } = expiration;
  if (upload.mode === "sending" || upload.mode === "done") return <SingleFile upload={upload} wording={wording} />;
  if (upload.mode === "transfer") return <TransferSteps {...expiration} {...upload} />;
  if (!fileToConfirm) return upload.failed && <UploadFailed failed={upload.failed} />;
  return (
    <ConfirmFile
      {...expiration}
      file={fileToConfirm}
      onSend={() => {
        onSend(fileToConfirm);
      }}
      onBack={onBack}
    />
  );
}
