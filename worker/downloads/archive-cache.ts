import type { PlacedEntry } from "#domain/transfers/pages.ts";
import { MIB } from "#domain/units.ts";
import type { ZipLayout } from "#domain/zip.ts";

/** A ready transfer's list, and the layout of its ZIP. */
export interface Archive {
  /** Entries by number, removed entries included. */
  places: PlacedEntry[];
  layout: ZipLayout;
}

/** The cache's share of the 128 MB that an isolate has (Workers platform limit). */
const MAX_BYTES = 16 * MIB;

/** The memory of an entry's JavaScript objects, without its path. */
const BYTES_PER_ENTRY = 200;

/** Keeps the layouts of ZIPs from which readers ask for many ranges. Drops the least recently used layout. */
export class ArchiveCache {
  readonly #archives = new Map<string, { archive: Archive; bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** @param etag of the whole ZIP; changes with the list */
  get(fileId: string, etag: string): Archive | null {
    const key = keyOf(fileId, etag);
    const found = this.#archives.get(key);
    if (!found) return null;
    this.#archives.delete(key);
    this.#archives.set(key, found);
    return found.archive;
  }

  add(fileId: string, etag: string, archive: Archive): void {
    const bytes = bytesOf(archive);
    if (bytes > this.#maxBytes) return;
    this.#remove(keyOf(fileId, etag));
    for (const key of this.#archives.keys()) {
      if (this.#bytes + bytes <= this.#maxBytes) break;
      this.#remove(key);
    }
    this.#archives.set(keyOf(fileId, etag), { archive, bytes });
    this.#bytes += bytes;
  }

  #remove(key: string): void {
    this.#bytes -= this.#archives.get(key)?.bytes ?? 0;
    this.#archives.delete(key);
  }
}

function keyOf(fileId: string, etag: string): string {
  return `${fileId} ${etag}`;
}

/** An estimate: the directory has the paths of present entries, and a path in memory takes up to twice as much. */
function bytesOf({ places, layout }: Archive): number {
  const removedPaths = places.reduce((sum, { path, removedAt }) => sum + (removedAt === null ? 0 : path.length), 0);
  return 3 * layout.tail.length + 2 * removedPaths + layout.starts.byteLength + places.length * BYTES_PER_ENTRY;
}
