import { useSyncExternalStore, type ReactNode } from "react";
import { createStore } from "#app/lib/store.ts";

export interface Toast {
  title: string;
  description?: ReactNode;
  tone?: "good" | "bad";
  /** Default: 5 seconds. */
  durationMs?: number;
  action?: ToastAction;
  /** The request id of the call that failed unexpectedly. */
  requestId?: string;
}

export type ToastAction = { label: string; onAction: () => void } | { label: string; to: string };

type ShownToast = Toast & { key: number };

const current = createStore<ShownToast | null>(null);
let lastKey = 0;

export function toast(content: Toast): void {
  lastKey += 1;
  current.set({ ...content, key: lastKey });
}

export function dismissToast(): void {
  current.set(null);
}

export function useToast(): ShownToast | null {
  return useSyncExternalStore(current.subscribe, current.get, () => null);
}

export function useWasToastShown(): boolean {
  return useSyncExternalStore(
    current.subscribe,
    () => lastKey > 0,
    () => false,
  );
}
