import { MIB } from "#domain/units.ts";
import { probeStageInWorker } from "../reader/opener.ts";
import { tidyStaged } from "./stage.ts";

/**
 * Where opened bytes go. `blob`: memory. `stage`: a file of this site's own, which is handed over when it is whole; a
 * closed tab goes on from there. `file`: straight into a file that the reader chose. `stream`: through the service
 * worker, to the browser's own downloads.
 */
export type SinkKind = "blob" | "stage" | "file" | "stream";

const BLOB_MAX_BYTES = 32 * MIB;
/** The staged file is on the device twice for a moment only where the browser copies it; the rest is for the browser. */
const STAGE_ROOM = 1.1;

/** What this browser has, found out by trying. */
export interface Abilities {
  hasStage: boolean;
  /** What this site may still store. */
  freeBytes: number;
  canPickFile: boolean;
  hasServiceWorker: boolean;
}

/**
 * @param stagedBytes of this file that were staged before
 * @returns null when this browser cannot save a file of this size
 */
export function chooseSink(sizeBytes: number, stagedBytes: number, abilities: Abilities): SinkKind | null {
  if (sizeBytes <= BLOB_MAX_BYTES) return "blob";
  if (abilities.hasStage && abilities.freeBytes >= STAGE_ROOM * (sizeBytes - stagedBytes)) return "stage";
  if (abilities.canPickFile) return "file";
  return abilities.hasServiceWorker ? "stream" : null;
}

/** Tries what this browser has: private windows have less than their version says. */
export async function probeAbilities(): Promise<Abilities> {
  const [hasStage, freeBytes] = await Promise.all([canStage(), readFreeBytes()]);
  return {
    hasStage,
    freeBytes,
    canPickFile: "showSaveFilePicker" in window,
    // Registered only when it is needed.
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
    /** Chromium's alone, and not on every device. */
    showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

/** @returns null when the reader chose no file */
export async function pickFile(name: string): Promise<FileSystemFileHandle | null> {
  try {
    return (await window.showSaveFilePicker?.({ suggestedName: name })) ?? null;
  } catch {
    return null;
  }
}
