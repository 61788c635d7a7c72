import { queryLocally, type Value } from "../../../scripts/local-query.ts";

/** @param origin default: the main test server @returns the rows */
export function query(sql: string, origin = process.env.E2E_ORIGIN ?? ""): Promise<Record<string, Value>[]> {
  return queryLocally(sql, origin);
}
