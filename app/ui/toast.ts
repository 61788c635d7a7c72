import { useSyncExternalStore, type ReactNode } from "react";

export interface Toast {
  title: string;
  description?: ReactNode;
  tone?: "good" | "bad";
  /** Default: 5 seconds. */
  durationMs?: number;
  action?: ToastAction;
}

export type ToastAction = { label: string; onAction: () => void } | { label: string; to: string };

type ShownToast = Toast & { key: number };

let current: ShownToast | null = null;
let lastKey = 0;
const listeners = new Set<() => void>();

function publish(next: ShownToast | null): void {
  current = next;
  for (const listener of listeners) listener();
}

export function toast(content: Toast): void {
  lastKey += 1;
  publish({ ...content, key: lastKey });
}

export function dismissToast(): void {
  publish(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToast(): ShownToast | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}

export function useWasToastShown(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => lastKey > 0,
    () => false,
  );
}
