import { useSyncExternalStore } from "react";

/** sessionStorage key of a file that was chosen before signing in. Only the page and the size survive the sign-in. */
const KEY = "pending-file";

export interface PendingFile {
  path: string;
  sizeBytes: number;
  /**
   * Whether the person has signed in since the choice of the file. If so, the page `path` asks to choose the file
   * again.
   */
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

/** Call when the file is chosen again, any upload finishes, or the user signs in without choosing it. */
export function clearPendingFile(): void {
  sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

export function findPendingFile(): PendingFile | null {
  const pending = parse(sessionStorage.getItem(KEY));
  return pending?.isSignedIn === false ? pending : null;
}

/** The file to choose again on this page after the sign-in. Always null on the server. */
export function useFileToChooseAgain(path: string): PendingFile | null {
  const json = useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(KEY),
    () => null,
  );
  const pending = parse(json);
  return pending?.isSignedIn === true && pending.path === path ? pending : null;
}

function parse(json: string | null): PendingFile | null {
  try {
    const value: unknown = JSON.parse(json ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const { path, sizeBytes, isSignedIn } = value as Record<string, unknown>;
    const isValid = typeof path === "string" && typeof sizeBytes === "number" && typeof isSignedIn === "boolean";
    return isValid ? { path, sizeBytes, isSignedIn } : null;
  } catch {
    return null;
  }
}
