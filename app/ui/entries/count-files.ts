/** Counts the entries that are no empty folders. */
export function countFiles(entries: readonly { path: string }[]): number {
  return entries.reduce((count, { path }) => (path.endsWith("/") ? count : count + 1), 0);
}
