import { MIB } from "#domain/units.ts";
import { probeStageInWorker } from "../reader/opener.ts";
import { tidyStaged } from "./stage.ts";

/**
 * The place for decrypted bytes. `blob`: memory. `stage`: a private file of this site, which the browser saves when the
 * file is whole, and which a later visit completes. `file`: a file that the reader chose. `stream`: the browser's own
 * downloads, through the service worker.
 */
export type SinkKind = "blob" | "stage" | "file" | "stream";

const BLOB_MAX_BYTES = 32 * MIB;
/** Free space that a staged file needs, in file sizes. The browser's brief second copy is not counted. */
const STAGE_ROOM = 1.1;

/** The abilities of this browser to store files, found by trying. */
export interface Abilities {
  hasStage: boolean;
  /** The bytes that this site may still store. */
  freeBytes: number;
  canPickFile: boolean;
  hasServiceWorker: boolean;
}

/** @param stagedBytes of this file already staged @returns null if this browser cannot save a file of this size */
export function chooseSink(sizeBytes: number, stagedBytes: number, abilities: Abilities): SinkKind | null {
  if (sizeBytes <= BLOB_MAX_BYTES) return "blob";
  if (abilities.hasStage && abilities.freeBytes >= STAGE_ROOM * (sizeBytes - stagedBytes)) return "stage";
  if (abilities.canPickFile) return "file";
  return abilities.hasServiceWorker ? "stream" : null;
}

/** Tries each ability, because a private window can do less than its browser's version says. */
export async function probeAbilities(): Promise<Abilities> {
  const [hasStage, freeBytes] = await Promise.all([canStage(), readFreeBytes()]);
  return {
    hasStage,
    freeBytes,
    canPickFile: "showSaveFilePicker" in window,
    // Service workers are not tried out here, because the page registers one only when it needs one.
    hasServiceWorker: "serviceWorker" in navigator,
  };
}

async function canStage(): Promise<boolean> {
  try {
    await tidyStaged();
    return await probeStageInWorker();
  } catch {
    return false;
  }
}

async function readFreeBytes(): Promise<number> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota - usage;
  } catch {
    return 0;
  }
}

declare global {
  interface Window {
    /** Only Chromium has the file picker, and not on every device. */
    showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/** @returns null if the reader chose no file */
export async function pickFile(name: string): Promise<FileSystemFileHandle | null> {
  try {
    return (await window.showSaveFilePicker?.({ suggestedName: name })) ?? null;
  } catch {
    return null;
  }
}
