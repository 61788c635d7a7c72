/** Empty folders are entries, and no files. */
export function countFiles(entries: readonly { path: string }[]): number {
  return entries.reduce((count, { path }) => (path.endsWith("/") ? count : count + 1), 0);
}
