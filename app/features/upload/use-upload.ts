import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { currentUpload, idleUpload, type FailedUpload, type UploadState } from "./current-upload.ts";

/** The page's one upload, for React. */
export function useUpload(): UploadState {
  const state = useSyncExternalStore(currentUpload.subscribe, currentUpload.getState, idleUpload);
  const queries = useQueryClient();

  useEffect(() => {
    if (state.mode === "sending") return;
    void queries.invalidateQueries({ queryKey: queryKeys.files });
    void queries.invalidateQueries({ queryKey: queryKeys.unfinished });
  }, [state.mode, queries]);
  return state;
}

/** Failures that a person has been told of. */
const told = new WeakSet<FailedUpload>();

/**
 * Tells of an upload that failed, once, however many cards come and go.
 */
export function useFailure(upload: UploadState, tell: (failed: FailedUpload) => void): void {
  const failed = upload.mode === "idle" ? upload.failed : null;
  useEffect(() => {
    if (!failed || told.has(failed)) return;
    told.add(failed);
    tell(failed);
  }, [failed, tell]);
}
