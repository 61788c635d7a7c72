import { cliPackagePath, CLI_VERSION, isNewerVersion } from "#domain/cli-package.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";

let newest: { version: string; origin: string } | null = null;

/** Remembers the program version that a server announces, if it is newer. @param headers of the server's response */
export function noteVersion(origin: string, headers: Headers): void {
  const version = headers.get(HEADER_NAMES.cli) ?? "";
  if (isNewerVersion(version, CLI_VERSION)) newest = { version, origin };
}

/** @returns a hint that the server has a newer version of this program; null if this version is new enough */
export function describeNewerVersion(): string | null {
  if (newest === null) return null;
  const { version, origin } = newest;
  return `Version ${version} of this program is at ${origin}${cliPackagePath(version)}. This one is ${CLI_VERSION}.`;
}
