import { useSyncExternalStore } from "react";

/** A page that sends somebody to sign in leaves here where they were, and the size of the file that waits. */
const KEY = "pending-file";

export interface PendingFile {
  path: string;
  sizeBytes: number;
  /** Whether its sender has signed in since: then only the page they came from still reminds them. */
  isSignedIn: boolean;
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function savePendingFile(pending: PendingFile): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  for (const listener of listeners) listener();
}

/** To be called once the file has been chosen again, a file has gone up, or somebody has signed in without it. */
export function forgetPendingFile(): void {
  sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/** The file that a sign-in in this tab is for; null where none waits. */
export function findPendingFile(): PendingFile | null {
  const pending = parse(sessionStorage.getItem(KEY));
  return pending?.isSignedIn === false ? pending : null;
}

/** The file that somebody chose on that page before they signed in; null where there is none, and on the server. */
export function useFileToChooseAgain(path: string): PendingFile | null {
  const note = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(KEY),
    () => null,
  );
  const pending = parse(note);
  return pending?.isSignedIn === true && pending.path === path ? pending : null;
}

function parse(note: string | null): PendingFile | null {
  try {
    const value: unknown = JSON.parse(note ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const { path, sizeBytes, isSignedIn } = value as Record<string, unknown>;
    const isNote = typeof path === "string" && typeof sizeBytes === "number" && typeof isSignedIn === "boolean";
    return isNote ? { path, sizeBytes, isSignedIn } : null;
  } catch {
    return null;
  }
}
