/** The bytes after the last whole chunk of an upload to which bytes are appended: at most one row. */
export class EdgeStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  create(): void {
    this.#storage.sql.exec(
      "create table if not exists edge (i integer primary key check (i = 0), bytes blob not null)",
    );
  }

  read(): Uint8Array {
    const [row] = this.#storage.sql.exec<{ bytes: ArrayBuffer }>("select bytes from edge");
    return row ? new Uint8Array(row.bytes) : new Uint8Array();
  }

  length(): number {
    const [row] = this.#storage.sql.exec<{ n: number }>("select length(bytes) as n from edge");
    return row?.n ?? 0;
  }

  /** In place of what was there. */
  write(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) this.#storage.sql.exec("delete from edge");
    else this.#storage.sql.exec("insert or replace into edge values (0, ?)", bytes.slice().buffer);
  }
}
