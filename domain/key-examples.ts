/** @param origin of the site @param key a key with the scope `upload` @returns a line for a shell */
export function curlLine(origin: string, key: string): string {
  return `curl -u :${key} -T report.pdf ${origin}/`;
}

/** As `curlLine`, for the command line that the site serves. */
export function cliLine(origin: string, key: string): string {
  return `MAYFLY_URL=${origin} MAYFLY_KEY=${key} mayfly send report.pdf`;
}
