import { lazy, Suspense, useSyncExternalStore } from "react";

const Toasts = lazy(async () => ({ default: (await import("./toast.tsx")).Toaster }));

let isNeeded = false;
const listeners = new Set<() => void>();

/** Called with each toast. */
export function needToaster(): void {
  isNeeded = true;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear; once a page. It is fetched with the first of them: a download page shows none. */
export function Toaster() {
  const needed = useSyncExternalStore(
    subscribe,
    () => isNeeded,
    () => false,
  );
  return needed ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
