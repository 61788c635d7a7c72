import type { ReactNode } from "react";
import { clearPendingFile } from "#app/lib/pending-file.ts";
import { ChooseFile } from "./choose-file.tsx";
import { ConfirmFile } from "./confirm-file.tsx";
import type { UploadState } from "./current-upload.ts";
import type { ExpirationProps } from "./expiration-choice.ts";
import { Sending } from "./sending.tsx";
import { Sent } from "./sent.tsx";
import { UploadFailed } from "./upload-failed.tsx";

interface UploadStepsProps extends ExpirationProps {
  upload: UploadState;
  /** A large file, or one that another app shared. */
  fileToConfirm: File | null;
  onFile(file: File): void;
  onPrepare(): void;
  onSend(file: File): void;
  onBack(): void;
  notice?: ReactNode;
  footnote?: ReactNode;
}

export function UploadSteps(props: UploadStepsProps) {
  const { upload, fileToConfirm, notice, footnote, onFile, onPrepare, onSend, onBack, ...expiration } = props;
  const { wording } = expiration;
  if (upload.mode === "sending") return <Sending upload={upload} wording={wording} />;
  if (upload.mode === "done") return <Sent result={upload.result} wording={wording} />;
  if (fileToConfirm) {
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
  return (
    <div className="grid gap-5">
      {upload.failed && <UploadFailed failed={upload.failed} />}
      {notice}
      <ChooseFile
        {...expiration}
        onPrepare={onPrepare}
        onFile={(file) => {
          clearPendingFile();
          onFile(file);
        }}
      />
      {footnote}
    </div>
  );
}
