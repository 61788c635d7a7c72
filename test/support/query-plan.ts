import { env } from "cloudflare:workers";
import { openDatabase, type Database } from "#worker/db/client.ts";
import { between } from "./between.ts";

/** How the database goes about each query that a function sends it, in words of SQLite's EXPLAIN QUERY PLAN. */
export async function plansOf(run: (db: Database) => Promise<unknown>): Promise<string[]> {
  const queries: string[] = [];
  const recording = between(env.DB, (asked, go) => {
    queries.push(...asked.map(({ text }) => text));
    return go();
  });
  await run(openDatabase(recording));
  return Promise.all(queries.map(explain));
}

/** How the database goes about a query, in words of SQLite's EXPLAIN QUERY PLAN. */
export async function explain(query: string): Promise<string> {
  const values = Array.from(query.matchAll(/\?/g), () => 1);
  const { results } = await env.DB.prepare(`explain query plan ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).join("; ");
}
