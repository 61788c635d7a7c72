/**
 * Replaces better-auth's in-memory database, which it imports even when another database is configured
 * (https://github.com/better-auth/better-auth/tree/main/packages/memory-adapter).
 */
export function memoryAdapter(): never {
  throw new Error("accounts are stored in D1");
}
