import { handOver } from "#app/lib/hand-over.ts";
import { toBase64url } from "#domain/bytes-as-text.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import type { Wanted } from "../sealed-files.ts";
import type { SinkKind } from "../sinks/choose-sink.ts";
import { readNote, removeStaged, stageFolder } from "../sinks/stage.ts";

interface StagedJob {
  name: string;
  sink: SinkKind;
  stageKey: string | null;
}

/** @returns a name for staged bytes, which differs for different files and is the same before the sums are known */
export async function stageKeyOf({ commitment }: ContentKeys, { files, isArchive }: Wanted): Promise<string> {
  const facts = files.map(({ name, size, mtime, stream, at }) => [name, size, mtime, stream, at]);
  const text = JSON.stringify([toBase64url(commitment), isArchive, facts]);
  return toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

export async function stagedBytesOf(key: string): Promise<number> {
  try {
    return (await readNote(await stageFolder(), key))?.bytes ?? 0;
  } catch {
    return 0;
  }
}

/** Deletes a job's staged copy, if it exists. */
export async function freeStage({ sink, stageKey }: StagedJob): Promise<void> {
  if (sink !== "stage" || stageKey === null) return;
  // If the deletion fails now, `tidyStaged` deletes the copy later.
  await stageFolder().then(
    (folder) => removeStaged(folder, stageKey),
    () => undefined,
  );
}

/** @returns false if the staged copy is gone */
export async function handOverStaged({ stageKey, name }: StagedJob): Promise<boolean> {
  try {
    const handle = await (await stageFolder()).getFileHandle(stageKey ?? "");
    handOver(await handle.getFile(), name);
    return true;
  } catch {
    return false;
  }
}
