import type { Abilities } from "../sinks/choose-sink.ts";
import { probeStage } from "../reader/opener.ts";
import { tidyStaged } from "../sinks/tidy-staged.ts";

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
    return await probeStage();
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

type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** @returns null when the reader chose no file */
export async function pickFile(name: string): Promise<FileSystemFileHandle | null> {
  try {
    return await (window as unknown as { showSaveFilePicker: Picker }).showSaveFilePicker({ suggestedName: name });
  } catch {
    return null;
  }
}
