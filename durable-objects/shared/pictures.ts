import { FIRST_PICTURES, MAX_PICTURES, type PictureKind, type StoredPicture } from "#domain/pictures/limits.ts";
import type { PictureInfo, PictureProblem, RefusedPicture } from "#domain/wire.ts";
import type { Database } from "#worker/db/client.ts";
import { saveFirstPictures } from "#worker/db/pictures.ts";
import { pictureKey } from "#worker/storage/keys.ts";
import { deleteObjects, overwriteWithZeros } from "#worker/storage/objects.ts";

const NAME = "pictures";

/** The names of the table and of the storage key that stay as long as the link's bytes. */
export const PICTURE_NAMES = [NAME];

/** A picture in an object. Of a sealed link, the server knows neither width, height nor duration. */
export interface PlacedPicture {
  n: number;
  kind: PictureKind;
  /** The picture's bytes in the object. */
  offset: number;
  length: number;
  /** The MIME type. */
  type: string;
  width: number | null;
  height: number | null;
  seconds: number | null;
  /** The encrypted facts of a sealed picture, only of a tile. */
  about: string | null;
}

/** The pictures of one form, which are stored in one object. */
export interface PictureForm {
  fileId: string;
  isSealed: boolean;
  /** The object's number. */
  object: number;
  pictures: PlacedPicture[];
}

export interface TakenPictures {
  stored: number;
  refused: RefusedPicture[];
  /** The entries with new pictures, in ascending order. */
  changed: [n: number, picture: PictureInfo][];
}

/** Where the newest picture of an entry is stored. */
export interface FoundPicture {
  object: number;
  offset: number;
  length: number;
  type: string;
}

interface State {
  fileId: string;
  isSealed: boolean;
  /** Rises with each change of the table. */
  revision: number;
  /** The last revision after whose change everything was settled. */
  settledRevision: number;
  /** The link's first pictures as its row in D1 has them, as JSON. */
  first: string;
}

interface Row extends Record<string, SqlStorageValue> {
  n: number;
  kind: PictureKind;
  object: number;
  offset: number;
  length: number;
  type: string;
  width: number | null;
  height: number | null;
  seconds: number | null;
  about: string | null;
}

const NONE = "null";

/**
 * Where the pictures of a link's files are stored. A row is written for each picture of a form; of several pictures of
 * one entry and kind, that in the last object counts. Pictures of removed entries, and those that are refused after
 * their object was stored, are dropped: zeros replace their bytes, and then their rows are deleted.
 */
export class Pictures {
  readonly #storage: DurableObjectStorage;
  readonly #bucket: R2Bucket;
  readonly #db: Database;
  #settling: Promise<unknown> = Promise.resolve();

  constructor(storage: DurableObjectStorage, bucket: R2Bucket, db: Database) {
    this.#storage = storage;
    this.#bucket = bucket;
    this.#db = db;
  }

  /** Stores where the pictures of a form are. @param hasEntry whether the link has this entry */
  take({ fileId, isSealed, object, pictures }: PictureForm, hasEntry: (n: number) => boolean): TakenPictures {
    const state = this.#state() ?? { fileId, isSealed, revision: 0, settledRevision: 0, first: NONE };
    return this.#storage.transactionSync(() => {
      this.#storage.sql.exec(
        `create table if not exists pictures (n integer, kind text, object integer, "offset" integer not null,
          length integer not null, type text not null, width integer, height integer, seconds real, about text,
          dropped integer not null, primary key (n, kind, object)) without rowid`,
      );
      this.#save(state);
      const refused: RefusedPicture[] = [];
      const changed = new Set<number>();
      const count = { tile: this.#count("tile"), view: this.#count("view") };
      // Tiles come first, because a view needs a tile.
      for (const picture of pictures.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.n - b.n)) {
        const { n, kind } = picture;
        const isNew = this.find(n, kind) === null;
        const reason = this.#refusal(picture, hasEntry(n), isNew && count[kind] >= MAX_PICTURES);
        if (reason) refused.push({ n, kind, reason });
        else changed.add(n);
        if (!reason && isNew) count[kind] += 1;
        this.#insert(object, picture, reason !== null);
      }
      const stored = pictures.length - refused.length;
      // The object of a form without any picture is deleted as a whole.
      if (stored === 0) this.#storage.sql.exec("delete from pictures where object = ?", object);
      else this.#save({ ...state, revision: state.revision + 1 });
      return { stored, refused, changed: this.list(changed) };
    });
  }

  #refusal({ n, kind }: PlacedPicture, hasEntry: boolean, isFull: boolean): PictureProblem | null {
    if (!hasEntry) return "entry";
    if (kind === "view" && this.find(n, "tile") === null) return "tile";
    return isFull ? "full" : null;
  }

  #insert(object: number, picture: PlacedPicture, isDropped: boolean): void {
    const { n, kind, offset, length, type, width, height, seconds, about } = picture;
    this.#storage.sql.exec(
      "insert or replace into pictures values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      n,
      kind,
      object,
      offset,
      length,
      type,
      width,
      height,
      seconds,
      about,
      isDropped ? 1 : 0,
    );
  }

  /** @returns null for an entry without such a picture */
  find(n: number, kind: PictureKind): FoundPicture | null {
    return this.#newest(n, kind);
  }

  #newest(n: number, kind: PictureKind): Row | null {
    return this.#rows("where n = ? and kind = ? and dropped = 0 order by object desc limit 1", n, kind)[0] ?? null;
  }

  /** The number of entries with a picture. */
  get count(): number {
    return this.#count("tile");
  }

  #count(kind: PictureKind): number {
    if (this.#state() === null) return 0;
    const query = "select count(distinct n) as count from pictures where kind = ? and dropped = 0";
    return this.#storage.sql.exec<{ count: number }>(query, kind).one().count;
  }

  /** @param numbers of entries @returns those with a picture, in ascending order */
  list(numbers: Iterable<number>): [n: number, picture: PictureInfo][] {
    if (this.#state() === null) return [];
    return [...numbers]
      .sort((a, b) => a - b)
      .flatMap((n) => {
        const picture = this.#describe(n);
        return picture ? [[n, picture] as [number, PictureInfo]] : [];
      });
  }

  #describe(n: number): PictureInfo | null {
    const tile = this.#newest(n, "tile");
    if (!tile) return null;
    const view = this.#newest(n, "view") ? ({ view: true } as const) : {};
    const { width, height, seconds, about } = tile;
    if (width === null || height === null) return { about: about ?? "", ...view };
    return { width, height, ...(seconds !== null && { seconds }), ...view };
  }

  /** Ends the pictures of removed entries. Call `settle` after it. */
  drop(numbers: readonly number[]): void {
    const state = this.#state();
    if (!state) return;
    for (const n of numbers) this.#storage.sql.exec("update pictures set dropped = 1 where n = ?", n);
    this.#save({ ...state, revision: state.revision + 1 });
  }

  /** Whether there is something for `settle` to do. */
  get isUnsettled(): boolean {
    const state = this.#state();
    return state !== null && state.revision !== state.settledRevision;
  }

  /**
   * Writes the link's first pictures to its row, and deletes the bytes of dropped pictures. Idempotent. Runs one call
   * after the other. @throws Error if D1 or R2 does not answer
   */
  settle(): Promise<void> {
    const settled = this.#settling.then(() => this.#settle());
    this.#settling = settled.catch(() => undefined);
    return settled;
  }

  async #settle(): Promise<void> {
    const state = this.#state();
    if (!state || state.revision === state.settledRevision) return;
    const first = this.#first(state.isSealed);
    const json = JSON.stringify(first);
    if (json !== state.first) {
      await saveFirstPictures(this.#db, state.fileId, first);
      this.#note({ first: json });
    }
    const dropped = Map.groupBy(this.#rows("where dropped = 1"), ({ object }) => object);
    for (const [object, rows] of dropped) await this.#wipe(state.fileId, object, rows);
    this.#note({ settledRevision: state.revision });
  }

  /** Notes what is settled, unless the link's bytes were deleted meanwhile. */
  #note(settled: Partial<State>): void {
    const state = this.#state();
    if (state) this.#save({ ...state, ...settled });
  }

  async #wipe(fileId: string, object: number, rows: Row[]): Promise<void> {
    const key = pictureKey(fileId, object);
    if (this.#rows("where object = ? and dropped = 0 limit 1", object).length === 0) {
      await deleteObjects(this.#bucket, [key]);
    } else {
      await overwriteWithZeros(
        this.#bucket,
        key,
        rows.map(({ offset, length }) => ({ from: offset, length })),
      );
    }
    if (this.#state() === null) return;
    for (const { n, kind } of rows) {
      this.#storage.sql.exec("delete from pictures where n = ? and kind = ? and object = ?", n, kind, object);
    }
  }

  #first(isSealed: boolean): StoredPicture[] | null {
    if (isSealed) return null;
    const query = "select distinct n from pictures where kind = 'tile' and dropped = 0 order by n limit ?";
    const numbers = this.#storage.sql.exec<{ n: number }>(query, FIRST_PICTURES).toArray();
    const first = numbers.map(({ n }): StoredPicture => {
      const [tile, view] = [this.#newest(n, "tile"), this.#newest(n, "view")];
      const size = [n, tile?.width ?? 0, tile?.height ?? 0] as const;
      return view ? [...size, view.width ?? 0, view.height ?? 0] : [...size];
    });
    return first.length === 0 ? null : first;
  }

  #rows(condition: string, ...values: SqlStorageValue[]): Row[] {
    if (this.#state() === null) return [];
    const columns = `n, kind, object, "offset", length, type, width, height, seconds, about`;
    return this.#storage.sql.exec<Row>(`select ${columns} from pictures ${condition}`, ...values).toArray();
  }

  #state(): State | null {
    return this.#storage.kv.get<State>(NAME) ?? null;
  }

  #save(state: State): void {
    this.#storage.kv.put(NAME, state);
  }
}
