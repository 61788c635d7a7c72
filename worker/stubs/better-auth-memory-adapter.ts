/** Stands in for better-auth's store in memory in the Worker (wrangler.toml), where the database is D1. */
export function memoryAdapter(): never {
  throw new Error("accounts are kept in D1");
}
