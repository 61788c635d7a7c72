import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { decodePage, type Entry } from "#domain/transfers/pages.ts";
import { TransferStore } from "#durable-objects/transfer/store.ts";
import { runSql } from "./worker.ts";

function inStore<Result>(id: string, use: (store: TransferStore) => Result): Promise<Result> {
  const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(id));
  return runInDurableObject(stub, (_, { storage }) => use(new TransferStore(storage)));
}

function pagesOf(id: string): Promise<string[]> {
  return inStore(id, ({ list }) => (list.find() ? list.pages() : []));
}

/** The list of a ready transfer, as its session has it. Empty without one. */
export async function listOf(id: string): Promise<Entry[]> {
  return (await pagesOf(id)).flatMap(decodePage);
}

/** The names of tables and keys that the session has. */
export function storedIn(id: string): Promise<string[]> {
  const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(id));
  return runInDurableObject(stub, (_, { storage }) => [
    ...storage.sql
      .exec<{ name: string }>("select name from sqlite_master where name not like '\\_%' escape '\\'")
      .toArray()
      .map(({ name }) => name),
    ...[...storage.kv.list()].map(([key]) => key),
  ]);
}

/** Puts a ready transfer's list where releases before decision 051 have it: in D1, and nothing in the session. */
export async function putListInD1(id: string): Promise<void> {
  const pages = await pagesOf(id);
  await runInDurableObject(env.TRANSFERS.get(env.TRANSFERS.idFromName(id)), (session) => session.forget());
  await evictDurableObject(env.TRANSFERS.get(env.TRANSFERS.idFromName(id)));
  for (const [page, entries] of pages.entries()) {
    await runSql("insert into transfer_pages (file_id, page, entries) values (?, ?, ?)", id, page, entries);
  }
}
