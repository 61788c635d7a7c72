import { env } from "cloudflare:workers";
import type { SentFile } from "./worker.ts";

/** Not in a deployment's database. */
const LOCAL_TABLES = ["local_mailbox"];

/**
 * What an upload's rows take in D1, with their entries in indexes: copies all rows that name the upload, with new
 * random ids, and removes them again. One row alone says little, because SQLite takes pages of 4 KB.
 * @returns bytes of one copy
 */
export async function measureRowsOf({ uploadId, downloadId }: SentFile, copies: number): Promise<number> {
  const ids = JSON.stringify(
    Array.from({ length: copies }, () => [
      crypto.randomUUID(),
      crypto.randomUUID().replaceAll("-", "").slice(0, downloadId.length),
    ]),
  );
  const { results: tables } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
       and name not like '\\_cf\\_%' escape '\\' and name <> 'd1_migrations'
       and name not in (select value from json_each(?)) order by rowid`,
  )
    .bind(JSON.stringify(LOCAL_TABLES))
    .all<{ name: string }>();
  const before = await sizeNow();
  const removals: D1PreparedStatement[] = [];
  for (const { name } of tables) {
    const columns = await env.DB.prepare("select name from pragma_table_info(?)").bind(name).all<{ name: string }>();
    const names = columns.results.map((column) => `"${column.name}"`);
    const row = `json_array(${names.join()})`;
    const copied = names.map(
      (column) => `case when typeof(${column}) <> 'text' then ${column}
        when instr(${column}, ?2) or instr(${column}, ?3)
          then replace(replace(${column}, ?2, pair ->> '$[0]'), ?3, pair ->> '$[1]')
        when ${column === '"id"'} then lower(hex(randomblob(18))) else ${column} end`,
    );
    const { meta } = await env.DB.prepare(
      `insert into "${name}" (${names.join()}) select ${copied.join()}
       from (select * from "${name}" where instr(${row}, ?2) or instr(${row}, ?3)) as source, (select value as pair from json_each(?1))`,
    )
      .bind(ids, uploadId, downloadId)
      .run();
    if (meta.changes === 0) continue;
    const isCopy = `exists (select 1 from json_each(?1) where instr(${row}, value ->> '$[0]') or instr(${row}, value ->> '$[1]'))`;
    removals.push(env.DB.prepare(`delete from "${name}" where ${isCopy}`).bind(ids));
  }
  const bytes = ((await sizeNow()) - before) / copies;
  for (const removal of removals.reverse()) await removal.run();
  return bytes;
}

async function sizeNow(): Promise<number> {
  return (await env.DB.prepare("select 1").run()).meta.size_after;
}
