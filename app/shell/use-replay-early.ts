import { useEffect } from "react";

declare global {
  interface Window {
    /** Set by `early.server.ts`; called before React hydrates the page. */
    beginHydration?: () => void;
    /** Set by `early.server.ts`; removed by its first call. */
    replayEarly?: () => void;
  }
}

/** Replays the input that `early.server.ts` has recorded, once the whole page is hydrated. */
export function useReplayEarly(): void {
  useEffect(() => {
    // Waits for the effects of all components and for the renders that they cause.
    setTimeout(() => window.replayEarly?.());
  }, []);
}
