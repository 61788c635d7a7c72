import { useState } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { automaticHours } from "#domain/expiry.ts";
import { currentUpload, prepareUpload, type UploadMethod } from "./current-upload.ts";
import { DEFAULT_CHOICE, NO_PROTECTION, optionsOf, wasSealed } from "./link-choice.ts";
import { useUpload } from "./use-upload.ts";

export function useUploadCard(method: UploadMethod) {
  const upload = useUpload();
  const plan = useCurrentUser()?.planType ?? "free";
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const hydrated = useHydrated();
  if (hydrated && choice.isSealed === undefined) setChoice({ ...choice, isSealed: wasSealed() });
  const [fileToConfirm, setFileToConfirm] = useState<File | null>(null);
  const isDone = upload.mode === "done" || (upload.mode === "transfer" && upload.view?.phase === "done");
  // A password is for one link.
  if (isDone && choice.guards !== NO_PROTECTION) setChoice({ ...choice, guards: NO_PROTECTION });
  const send = (file: File) => {
    setFileToConfirm(null);
    currentUpload.start({ file, options: optionsOf(choice), method });
  };
  return {
    send,
    /** Asks first if the default expiry would keep the file for hours, not days, or if the protection is wrong. */
    sendOrConfirm: (file: File) => {
      const mayStart = automaticHours({ ...choice, sizeBytes: file.size }) === null && !choice.isProtectionWrong;
      if (mayStart) send(file);
      else setFileToConfirm(file);
    },
    setFileToConfirm,
    steps: {
      upload,
      fileToConfirm,
      plan,
      choice,
      onChoice: setChoice,
      onPrepare: () => prepareUpload(method),
      onBack: () => setFileToConfirm(null),
    },
  };
}
