import { useMemo, useSyncExternalStore } from "react";
import { readFragment, type Fragment, type UnreadableFragment } from "#domain/seal/fragment.ts";

/** What stands behind `#` in the address; null during server rendering and hydration, since no server sees it. */
export function useFragment(): { text: string; read: Fragment | UnreadableFragment } | null {
  const text = useSyncExternalStore(
    onHashChange,
    () => location.hash.slice(1),
    () => null,
  );
  return useMemo(() => (text === null ? null : { text, read: readFragment(text) }), [text]);
}

function onHashChange(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => {
    removeEventListener("hashchange", listener);
  };
}
