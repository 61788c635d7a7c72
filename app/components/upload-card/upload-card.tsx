import { useCallback, useState } from "react";
import { ApiError } from "#app/api.ts";
import { messageOf } from "#app/forms.ts";
import { useCurrentUser } from "#app/session.ts";
import { useUpload } from "#app/upload/use-upload.ts";
import { automaticHours, DEFAULT_EXPIRATION, type Expiration } from "#domain/expiry.ts";
import { useAuthDialog } from "../auth-dialog-context.ts";
import { Card } from "../ui/card.tsx";
import { toast } from "../ui/toast.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { ConfirmLargeFile } from "./confirm-large-file.tsx";
import { Sending } from "./sending.tsx";
import { Sent } from "./sent.tsx";

export interface ExpirationChoice {
  expiration: Expiration;
  /** False for the untouched default, to which the rule for large files applies. */
  expirationChosen: boolean;
}

/** The home page's upload card: choose a file, watch it go, share its link. */
export function UploadCard() {
  const user = useCurrentUser();
  const openAuth = useAuthDialog();
  const [choice, setChoice] = useState<ExpirationChoice>({ expiration: DEFAULT_EXPIRATION, expirationChosen: false });
  const [waiting, setWaiting] = useState<File | null>(null);

  const onError = useCallback(
    (error: unknown) => {
      reportUploadError(error);
      if (error instanceof ApiError && error.body.requiresAuth === true) openAuth({ tab: "register" });
    },
    [openAuth],
  );
  const upload = useUpload(onError);

  const send = (file: File) => {
    setWaiting(null);
    upload.start(file, choice);
  };
  const choose = (file: File) => {
    const proceed = () => {
      if (automaticHours({ ...choice, sizeBytes: file.size }) === null) send(file);
      else setWaiting(file);
    };
    if (user) proceed();
    else openAuth({ tab: "register", fileSizeBytes: file.size, onSuccess: proceed });
  };

  return (
    <Card>
      {upload.state.mode === "sending" && <Sending {...upload.state} onCancel={upload.cancel} />}
      {upload.state.mode === "done" && <Sent result={upload.state.result} onAnother={upload.reset} />}
      {upload.state.mode === "idle" && waiting && (
        <ConfirmLargeFile
          file={waiting}
          plan={user?.planType ?? "free"}
          choice={choice}
          onChoice={setChoice}
          onSend={() => {
            send(waiting);
          }}
          onBack={() => {
            setWaiting(null);
          }}
        />
      )}
      {upload.state.mode === "idle" && !waiting && (
        <ChooseFile plan={user?.planType ?? "free"} choice={choice} onChoice={setChoice} onFile={choose} />
      )}
    </Card>
  );
}

function reportUploadError(error: unknown): void {
  const message = messageOf(error, "Upload failed");
  if (error instanceof ApiError && error.body.planLimitExceeded === true) {
    toast({ title: "Storage limit exceeded", description: message, tone: "bad" });
  } else if ((error instanceof ApiError && error.status === 413) || message.includes("too large")) {
    toast({ title: "File too large", description: message, tone: "bad" });
  } else {
    toast({ title: "Upload failed", description: message, tone: "bad" });
  }
}
