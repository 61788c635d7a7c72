import { startTransition, useEffect, useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

export interface FollowingStart {
  /** Whether the page waits for the first byte, and then starts the download. */
  isAsking: boolean;
  /** Why the download was not started, in the reader's language; null if nothing went wrong. */
  problem: string | null;
  /** @param href the address that follows the upload @param onStarted called when the browser has the download */
  start(href: string, onStarted: () => void): Promise<void>;
}

/** Starts a download of a file that is still being uploaded, once its first byte is there. */
export function useFollowingStart(): FollowingStart {
  const t = useMessages("download");
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);

  const start = async (href: string, onStarted: () => void) => {
    if (asking.current) return;
    const abort = new AbortController();
    asking.current = abort;
    // The progress display may still wait for its script. Outside a transition, React would hide it.
    startTransition(() => {
      setAsking(true);
      setProblem(null);
    });
    try {
      const { startFollowing } = await importWhenOnline(() => import("./follow.client.ts"));
      const refusal = await startFollowing(href, t("notStarted"), abort.signal);
      startTransition(() => {
        setProblem(refusal);
        if (refusal === null) onStarted();
      });
    } catch {
      // The reader has left the page.
    } finally {
      asking.current = null;
      startTransition(() => setAsking(false));
    }
  };
  return { isAsking, problem, start };
}
