import { useEffect } from "react";

declare global {
  interface Window {
    /** Set by `early.server.ts`; gone once called. */
    replayEarly?: () => void;
  }
}

/** Does what a person has done before the page could answer, once all of it can. */
export function useReplayEarly(): void {
  useEffect(() => {
    // After the effects of the components below, and what they set.
    setTimeout(() => window.replayEarly?.());
  }, []);
}
