import { env } from "cloudflare:workers";
import { openDatabase, type Database } from "#worker/db/client.ts";
import { interceptQueries } from "./query-interceptor.ts";

/** SQLite's EXPLAIN QUERY PLAN for each query that a function runs. */
export async function queryPlansOf(run: (db: Database) => Promise<unknown>): Promise<string[]> {
  const queries: string[] = [];
  const recording = interceptQueries(env.DB, (intercepted, proceed) => {
    queries.push(...intercepted.map(({ text }) => text));
    return proceed();
  });
  await run(openDatabase(recording));
  return Promise.all(queries.map(explain));
}

export async function explain(query: string): Promise<string> {
  const values = Array.from(query.matchAll(/\?/g), () => 1);
  const { results } = await env.DB.prepare(`explain query plan ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).join("; ");
}
