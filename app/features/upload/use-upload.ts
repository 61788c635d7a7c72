import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { currentUpload, idleUpload, isSending, type FailedUpload, type CardState } from "./current-upload.ts";

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
