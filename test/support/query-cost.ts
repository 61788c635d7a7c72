import { interceptQueries } from "./query-interceptor.ts";

/** As D1's metadata reports it. */
export interface QueryCost {
  rows: number;
  ms: number;
}

/** Records statements; `measure` runs the reading ones again and adds up what they cost. */
export function recordQueryCost(database: D1Database): { DB: D1Database; measure: () => Promise<QueryCost> } {
  const recorded = new Set<D1PreparedStatement>();
  const DB = interceptQueries(database, (queries, proceed) => {
    for (const { text, statement } of queries) if (/^\s*(select|with)\b/i.test(text)) recorded.add(statement);
    return proceed();
  });
  const measure = async (): Promise<QueryCost> => {
    const cost = { rows: 0, ms: 0 };
    for (const statement of recorded) {
      const { meta } = await statement.all();
      cost.rows += meta.rows_read;
      cost.ms += meta.duration;
    }
    return cost;
  };
  return { DB, measure };
}
