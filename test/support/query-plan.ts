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
  // A numbered parameter may stand there several times.
  const parameters = Array.from(query.matchAll(/\?\d*/g), ([parameter], at) =>
    parameter === "?" ? at + 1 : Number(parameter.slice(1)),
  );
  const values = Array.from({ length: Math.max(0, ...parameters) }, () => 1);
  const { results } = await env.DB.prepare(`explain query plan ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail).join("; ");
  // A page of a list comes from a subquery, whose rows are the page.
  return plan.replace(/CO-ROUTINE (\w+); (.*?); SCAN \1(?=;|$)/g, "$2");
}
