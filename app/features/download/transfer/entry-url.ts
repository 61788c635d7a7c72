/** Relative: the preview endpoint answers requests from the same origin only. @returns without `/content` or `/preview` */
export function entryUrl(downloadId: string, n: number): string {
  return `/api/files/download/${downloadId}/entries/${n}`;
}
