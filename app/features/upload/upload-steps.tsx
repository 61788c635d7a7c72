import type { ReactNode } from "react";
import { forgetPendingFile } from "#app/features/account/pending-file.ts";
import type { UploadState } from "#app/features/upload/current-upload.ts";
import type { PlanId } from "#domain/plans.ts";
import { ChooseFile } from "./choose-file.tsx";
import { ConfirmFile } from "./confirm-file.tsx";
import { Failed } from "./upload-failed.tsx";
import { Sending } from "./sending.tsx";
import { Sent } from "./sent.tsx";
import type { ExpirationChoice } from "./upload-card.tsx";
import type { Wording } from "./wording.ts";

interface UploadStepsProps {
  upload: UploadState;
  /** A file that waits for a last look: a large one, or one that another app shared. */
  waiting: File | null;
  plan: PlanId;
  choice: ExpirationChoice;
  wording: Wording;
  onChoice(choice: ExpirationChoice): void;
  onFile(file: File): void;
  onApproach(): void;
  onSend(file: File): void;
  onBack(): void;
  /** Said above and below the choice of a file. */
  notice?: ReactNode;
  footnote?: ReactNode;
}

/** What every upload card shows: choose a file, confirm it where it has to be, watch it go, share its link. */
export function UploadSteps({ upload, waiting, notice, footnote, onFile, onSend, onBack, ...rest }: UploadStepsProps) {
  const { wording } = rest;
  if (upload.mode === "sending") return <Sending upload={upload} wording={wording} />;
  if (upload.mode === "done") return <Sent result={upload.result} wording={wording} />;
  if (waiting) {
    return (
      <ConfirmFile
        {...rest}
        file={waiting}
        onSend={() => {
          onSend(waiting);
        }}
        onBack={onBack}
      />
    );
  }
  return (
    <div className="grid gap-5">
      {upload.failed && <Failed failed={upload.failed} />}
      {notice}
      <ChooseFile
        {...rest}
        onFile={(file) => {
          forgetPendingFile();
          onFile(file);
        }}
      />
      {footnote}
    </div>
  );
}
