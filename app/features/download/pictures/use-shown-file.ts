import { useLocation, useNavigate } from "@remix-run/react";
import { SHOWN_FILE } from "./shown-file-param.ts";

interface ShownFile {
  /** The number of the file that the viewer shows; null while the viewer is closed. */
  n: number | null;
  open(n: number): void;
  /** Shows another file in the open viewer. */
  move(n: number): void;
  close(): void;
}

/**
 * The file in the viewer is part of the page's address, so the browser's back button closes the viewer, and a copied
 * address opens the same file.
 */
export function useShownFile(): ShownFile {
  const location = useLocation();
  const navigate = useNavigate();
  const { search, hash } = location;
  const params = new URLSearchParams(search);
  const shown = /^\d{1,9}$/.exec(params.get(SHOWN_FILE) ?? "")?.[0];
  const state: unknown = location.state;
  const wasOpenedHere = typeof state === "object" && state !== null && "wasOpenedHere" in state;
  const go = (n: number | null, options: { replace: boolean; wasOpenedHere: boolean }) => {
    const changed = new URLSearchParams(search);
    if (n === null) changed.delete(SHOWN_FILE);
    else changed.set(SHOWN_FILE, String(n));
    const { replace, ...kept } = options;
    navigate(
      { search: changed.toString(), hash },
      { replace, preventScrollReset: true, state: kept.wasOpenedHere ? kept : null },
    );
  };
  return {
    n: shown === undefined ? null : Number(shown),
    open: (n) => go(n, { replace: false, wasOpenedHere: true }),
    move: (n) => go(n, { replace: true, wasOpenedHere }),
    close: () => {
      // Back, so that the closed viewer is not one step of the browser's history more.
      if (wasOpenedHere) navigate(-1);
      else go(null, { replace: true, wasOpenedHere: false });
    },
  };
}
