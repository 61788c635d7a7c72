import { between } from "./between.ts";

/** What statements cost the database, by its own account. */
export interface Weight {
  rows: number;
  ms: number;
}

/**
 * A database that remembers the statements it was asked, so that they can be weighed: each that only reads is asked once
 * more, for what D1 says of it.
 */
export function weighing(database: D1Database): { DB: D1Database; weigh: () => Promise<Weight> } {
  const asked = new Set<D1PreparedStatement>();
  const DB = between(database, (queries, go) => {
    for (const { text, statement } of queries) if (/^\s*(select|with)\b/i.test(text)) asked.add(statement);
    return go();
  });
  const weigh = async (): Promise<Weight> => {
    const weight = { rows: 0, ms: 0 };
    for (const statement of asked) {
      const { meta } = await statement.all();
      weight.rows += meta.rows_read;
      weight.ms += meta.duration;
    }
    return weight;
  };
  return { DB, weigh };
}
