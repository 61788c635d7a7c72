import { MIB } from "#domain/units.ts";
import { OpenError, roomOr } from "../reader/open-error.ts";
import type { Sink } from "./sink.ts";
import { noteName, readNote, removeStaged, stageFolder, type StageNote } from "./stage.ts";

/** The interval of notes about the written bytes, and so the most bytes that a crash costs. */
const NOTE_EVERY_BYTES = 64 * MIB;

/** The part of FileSystemSyncAccessHandle used here. Only web workers have it, and the page's types lack it. */
interface SyncAccessHandle {
  read(buffer: Uint8Array, options: { at: number }): number;
  write(buffer: Uint8Array, options: { at: number }): number;
  getSize(): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

type SyncFileHandle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccessHandle> };

/** Writes to a private file of this site. After a closed tab or a crash, the next visit completes the file. */
export class StageSink implements Sink {
  readonly start: number;
  readonly #key: string;
  readonly #sizeBytes: number;
  readonly #folder: FileSystemDirectoryHandle;
  readonly #file: SyncAccessHandle;
  readonly #note: SyncAccessHandle;
  #at: number;
  #notedBytes: number;

  private constructor(
    place: { folder: FileSystemDirectoryHandle; key: string; sizeBytes: number },
    handles: { file: SyncAccessHandle; note: SyncAccessHandle },
    start: number,
  ) {
    this.#folder = place.folder;
    this.#key = place.key;
    this.#sizeBytes = place.sizeBytes;
    this.#file = handles.file;
    this.#note = handles.note;
    this.start = start;
    this.#at = start;
    this.#notedBytes = start;
  }

  /** @param key a name for exactly these bytes @throws OpenError `inUse` if another tab writes the same file */
  static async open(key: string, sizeBytes: number): Promise<StageSink> {
    const folder = await stageFolder();
    const known = await readNote(folder, key);
    const file = await accessFile(folder, key);
    let note: SyncAccessHandle;
    try {
      note = await accessFile(folder, noteName(key));
    } catch (error) {
      file.close();
      throw error;
    }
    const isWhole = known?.size === sizeBytes && known.bytes <= Math.min(sizeBytes, file.getSize());
    const start = isWhole ? known.bytes : 0;
    return new StageSink({ folder, key, sizeBytes }, { file, note }, start);
  }

  *saved(): Generator<Uint8Array> {
    const buffer = new Uint8Array(MIB);
    for (let at = 0; at < this.start;) {
      const piece = buffer.subarray(0, this.#file.read(buffer.subarray(0, this.start - at), { at }));
      if (piece.length === 0) throw new OpenError("damaged");
      yield piece;
      at += piece.length;
    }
  }

  write(bytes: Uint8Array): void {
    try {
      if (this.#file.write(bytes, { at: this.#at }) < bytes.length) throw new OpenError("room");
      this.#at += bytes.length;
      if (this.#at - this.#notedBytes >= NOTE_EVERY_BYTES) this.#takeNote();
    } catch {
      throw new OpenError("room");
    }
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects, and never throws
  async finish(): Promise<null> {
    try {
      this.#file.truncate(this.#sizeBytes);
      this.#takeNote();
    } catch (error) {
      throw roomOr(error);
    }
    this.#close();
    return null;
  }

  async abort(isDamaged: boolean): Promise<void> {
    try {
      if (!isDamaged) this.#takeNote();
    } catch {
      // If the new note cannot be written, the previous note stays valid.
    }
    this.#close();
    if (isDamaged) await removeStaged(this.#folder, this.#key);
  }

  /** Writes the bytes before the note, so that the note never promises bytes that are not stored. */
  #takeNote(): void {
    this.#file.flush();
    const note: StageNote = { bytes: this.#at, size: this.#sizeBytes, at: Date.now() };
    const text = new TextEncoder().encode(JSON.stringify(note));
    this.#note.truncate(0);
    this.#note.write(text, { at: 0 });
    this.#note.flush();
    this.#notedBytes = this.#at;
  }

  #close(): void {
    this.#file.close();
    this.#note.close();
  }
}

/** @returns whether this browser can write staged files; some can only make the folder. For web workers only. */
export async function probeStage(): Promise<boolean> {
  const name = `probe-${crypto.randomUUID()}`;
  try {
    const folder = await stageFolder();
    (await accessFile(folder, name)).close();
    await folder.removeEntry(name);
    return true;
  } catch {
    return false;
  }
}

async function accessFile(folder: FileSystemDirectoryHandle, name: string): Promise<SyncAccessHandle> {
  const handle = (await folder.getFileHandle(name, { create: true })) as SyncFileHandle;
  try {
    return await handle.createSyncAccessHandle();
  } catch (error) {
    if (error instanceof DOMException && error.name === "NoModificationAllowedError") throw new OpenError("inUse");
    throw error;
  }
}
