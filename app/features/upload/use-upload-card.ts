import { useQueryClient } from "@tanstack/react-query";
import { useState, useEffect, useSyncExternalStore } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { useCurrentUser, useAnonymousUploads } from "#app/lib/session.ts";
import { automaticHours } from "#domain/expiry.ts";
import { isFree, LARGEST_FILE_BYTES, limitFor, type PlanId } from "#domain/plans.ts";
import {
  currentUpload,
  prepareUpload,
  type UploadMethod,
  idleUpload,
  isSending,
  type FailedUpload,
  type CardState,
} from "./current-upload.ts";
import { DEFAULT_CHOICE, isChoiceWrong, NO_PROTECTION, optionsOf, wasSealed } from "./link-choice.ts";

export function useUploadCard(method: UploadMethod) {
  const upload = useUpload();
  const plan = useCurrentUser()?.planType ?? "free";
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const hydrated = useHydrated();
  if (hydrated && choice.isSealed === undefined) setChoice({ ...choice, isSealed: wasSealed() });
  const [fileToConfirm, setFileToConfirm] = useState<File | null>(null);
  const isDone = upload.mode === "done" || (upload.mode === "transfer" && upload.view?.phase === "done");
  // A typed protection is for one link alone.
  if (isDone && choice.guards !== NO_PROTECTION) setChoice({ ...choice, guards: NO_PROTECTION });
  const send = (file: File) => {
    setFileToConfirm(null);
    currentUpload.start({ file, options: optionsOf(choice), method });
  };
  return {
    send,
    /**
     * Sends the file, but asks first if the default expiry would keep it for hours instead of days, or if the
     * end or the protection is wrong.
     */
    sendOrConfirm: (file: File) => {
      const mayStart = automaticHours({ ...choice, sizeBytes: file.size }) === null && !isChoiceWrong(choice);
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

type SizeProblem = "over-maximum" | "over-free-limit";

/** Checks a file's size against a plan before anything is sent. The server checks again. */
export function findSizeProblem(file: Pick<File, "size">, plan: PlanId): SizeProblem | null {
  if (file.size > LARGEST_FILE_BYTES) return "over-maximum";
  return isFree(plan) && file.size > limitFor(plan).fileSizeBytes ? "over-free-limit" : null;
}

/**
 * Whether a signed-out person must sign in to upload the file. Files over the free plan's size always need an account,
 * whose plan may allow them. @param anonymousUploads whether this deployment accepts uploads without an account
 */
export function needsAccount(file: Pick<File, "size">, anonymousUploads: boolean): boolean {
  return !anonymousUploads || findSizeProblem(file, "free") !== null;
}

export function useMustSignIn(): (file: File) => boolean {
  const isSignedIn = useCurrentUser() !== null;
  const anonymousUploads = useAnonymousUploads();
  return (file) => !isSignedIn && needsAccount(file, anonymousUploads);
}

/** The state of the upload card. Reloads the lists of files when an upload has ended. */
export function useUpload(): CardState {
  const state = useSyncExternalStore(currentUpload.subscribe, currentUpload.getState, idleUpload);
  const queries = useQueryClient();
  const sending = isSending(state);

  useEffect(() => {
    if (sending) return;
    void queries.invalidateQueries({ queryKey: queryKeys.files });
    void queries.invalidateQueries({ queryKey: queryKeys.unfinished });
  }, [sending, queries]);
  return state;
}

const reportedFailures = new WeakSet<FailedUpload>();

/** Calls `report` once for each failed upload, however many cards are mounted in turn. */
export function useUploadFailure(upload: CardState, report: (failed: FailedUpload) => void): void {
  const failed = upload.mode === "idle" ? upload.failed : null;
  useEffect(() => {
    if (!failed || reportedFailures.has(failed)) return;
    reportedFailures.add(failed);
    report(failed);
  }, [failed, report]);
}
