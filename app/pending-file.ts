/** A page that sends somebody to sign in leaves here where they were, and the size of the file that waits. */
const KEY = "pending-file";

export interface PendingFile {
  path: string;
  sizeBytes: number;
}

export function keepPendingFile(pending: PendingFile): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending));
}

/** What was left, or null. */
export function readPendingFile(): PendingFile | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (typeof value !== "object" || value === null || !("path" in value) || !("sizeBytes" in value)) return null;
    const { path, sizeBytes } = value;
    return typeof path === "string" && typeof sizeBytes === "number" ? { path, sizeBytes } : null;
  } catch {
    return null;
  }
}
