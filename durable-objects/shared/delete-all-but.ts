/** Deletes all tables and keys of a Durable Object except those with these names, and its alarm if nothing is left. */
export async function deleteAllBut(storage: DurableObjectStorage, names: readonly string[]): Promise<void> {
  // The platform's own tables begin with an underscore.
  const tables = storage.sql
    .exec<{ name: string }>("select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'")
    .toArray()
    .map(({ name }) => name);
  const keys = [...storage.kv.list()].map(([key]) => key);
  if (![...tables, ...keys].some((name) => names.includes(name))) {
    await storage.deleteAlarm();
    await storage.deleteAll();
    return;
  }
  storage.transactionSync(() => {
    for (const table of tables) if (!names.includes(table)) storage.sql.exec(`drop table "${table}"`);
    for (const key of keys) if (!names.includes(key)) storage.kv.delete(key);
  });
}
