import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { queryKeys } from "#app/api.ts";
import type { CompleteUploadAnswer } from "#domain/wire.ts";
import type { Progress } from "./progress.ts";
import { Upload, type UploadOptions } from "./upload.ts";

export type UploadState =
  | { mode: "idle" }
  | { mode: "sending"; file: File; shareUrl: string | null; progress: Progress; finishing: boolean }
  | { mode: "done"; result: CompleteUploadAnswer };

export interface UploadControl {
  state: UploadState;
  start(file: File, options: UploadOptions): void;
  cancel(): void;
  /** Back to choosing a file. */
  reset(): void;
}

/** One upload at a time, for React. `onError` gets what ended it, a cancel aside. */
export function useUpload(onError: (error: unknown) => void): UploadControl {
  const [state, setState] = useState<UploadState>({ mode: "idle" });
  const running = useRef<Upload | null>(null);
  const queries = useQueryClient();

  useEffect(() => () => running.current?.cancel(), []);
  useLeaveWarning(state.mode === "sending");

  const start = useCallback(
    (file: File, options: UploadOptions) => {
      const patch = (change: Partial<Extract<UploadState, { mode: "sending" }>>) => {
        setState((now) => (now.mode === "sending" ? { ...now, ...change } : now));
      };
      const upload = new Upload(file, options, {
        onStarted: ({ shareUrl }) => {
          patch({ shareUrl });
        },
        onProgress: (progress) => {
          patch({ progress });
        },
        onFinishing: () => {
          patch({ finishing: true });
        },
      });
      running.current = upload;
      setState({ mode: "sending", file, shareUrl: null, progress: nothingSent(file), finishing: false });
      upload
        .run()
        .then((result) => {
          setState({ mode: "done", result });
          return queries.invalidateQueries({ queryKey: queryKeys.files });
        })
        .catch((error: unknown) => {
          setState({ mode: "idle" });
          if (!isAbort(error)) onError(error);
        });
    },
    [onError, queries],
  );

  const cancel = useCallback(() => running.current?.cancel(), []);
  const reset = useCallback(() => {
    setState({ mode: "idle" });
  }, []);
  return { state, start, cancel, reset };
}

function nothingSent(file: File): Progress {
  return { loadedBytes: 0, totalBytes: file.size, percent: 0, speed: 0, timeLeftMs: null };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The browser asks before a page with an upload on its way is left. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => {
      event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    return () => {
      removeEventListener("beforeunload", warn);
    };
  }, [active]);
}
