/** Whether a row was refused because another one has the same unique value. Drizzle wraps D1's error. */
export function isUniqueViolation(error: unknown): boolean {
  return String(error instanceof Error ? (error.cause ?? error) : error).includes("UNIQUE");
}
