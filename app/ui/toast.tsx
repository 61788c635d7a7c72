import { lazy, Suspense, useSyncExternalStore, type ReactNode } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

const Toasts = lazy(async () => ({ default: (await importWhenOnline(() => import("./toast-list.tsx"))).Toasts }));

export interface Toast {
  title: string;
  description?: ReactNode;
  tone?: "good" | "bad";
  /** How long it stays, milliseconds. */
  durationMs?: number;
  action?: ToastAction;
}

/** What can be done about it: something, or going to a page. */
export type ToastAction = { label: string; onAction: () => void } | { label: string; to: string };

type ShownToast = Toast & { key: number };

let current: ShownToast | null = null;
let wasNeeded = false;
let lastKey = 0;
const listeners = new Set<() => void>();

function publish(next: ShownToast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast, in the place of one that is still showing. */
export function toast(content: Toast): void {
  lastKey += 1;
  wasNeeded = true;
  publish({ ...content, key: lastKey });
}

/** Takes the toast away that is showing. */
export function dismissToast(): void {
  publish(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toast that is showing, if any. */
export function useToast(): ShownToast | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}

/** Where toasts appear; once a page. What shows them is fetched with the first: most pages show none. */
export function Toaster() {
  const needed = useSyncExternalStore(
    subscribe,
    () => wasNeeded,
    () => false,
  );
  return needed ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
