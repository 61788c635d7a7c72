import { useEffect } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

const FLAG = "mayfly-staged";

/** Whether this browser may hold opened files. Every page looks, so this asks no file system. */
function isFlagged(): boolean {
  try {
    return localStorage.getItem(FLAG) !== null;
  } catch {
    return false;
  }
}

export function flagStaged(isStaged: boolean): void {
  try {
    if (isStaged) localStorage.setItem(FLAG, "1");
    else localStorage.removeItem(FLAG);
  } catch {
    // Such a browser has no stage either.
  }
}

/** Opened files were encrypted: they do not stay in the browser for longer than they are needed. */
export function useTidyStaged(): void {
  useEffect(() => {
    if (!isFlagged()) return;
    importWhenOnline(() => import("./tidy-staged.ts")).then(
      ({ tidyStaged }) => tidyStaged().catch(() => undefined),
      () => undefined,
    );
  }, []);
}
