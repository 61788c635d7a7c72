/** The version of the command line. Every change needs a higher version, because npx caches packages by address. */
export const CLI_VERSION = "0.1.0";

/** The oldest version of Node whose HTTP agents can use the proxy that environment variables name. */
export const OLDEST_NODE = "22.21.0";

const VERSION = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/;

/** The path at which a deployment serves the command line's package. */
export function cliPackagePath(version: string): string {
  return `/cli/mayfly-${version}.tgz`;
}

/** Whether a version is newer than another one. False for text that is not a version. */
export function isNewerVersion(text: string, than: string): boolean {
  const [ours, theirs] = [than, text].map((version) => VERSION.exec(version)?.slice(1).map(Number));
  if (!ours || !theirs) return false;
  const place = theirs.findIndex((number, n) => number !== ours[n]);
  return place >= 0 && (theirs[place] ?? 0) > (ours[place] ?? 0);
}
