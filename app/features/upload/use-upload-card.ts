import { useState } from "react";
import { useCurrentUser } from "#app/lib/session.ts";
import { automaticHours } from "#domain/expiry.ts";
import { currentUpload, prepareUpload, type UploadMethod } from "./current-upload.ts";
import { DEFAULT_CHOICE } from "./expiration-choice.ts";
import { useUpload } from "./use-upload.ts";

export function useUploadCard(method: UploadMethod) {
  const upload = useUpload();
  const plan = useCurrentUser()?.planType ?? "free";
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const [fileToConfirm, setFileToConfirm] = useState<File | null>(null);
  const send = (file: File) => {
    setFileToConfirm(null);
    currentUpload.start({ file, options: choice, method });
  };
  return {
    send,
    /** Asks for confirmation if the default expiry would keep the file for hours, not days. */
    sendOrConfirm: (file: File) => {
      if (automaticHours({ ...choice, sizeBytes: file.size }) === null) send(file);
      else setFileToConfirm(file);
    },
    setFileToConfirm,
    steps: {
      upload,
      fileToConfirm,
      plan,
      choice,
      onChoice: setChoice,
      onPrepare: () => {
        prepareUpload(method);
      },
      onBack: () => {
        setFileToConfirm(null);
      },
    },
  };
}
