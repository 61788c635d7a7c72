import { cliPackagePath, CLI_VERSION, isNewerVersion } from "#domain/cli-package.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";

let newest: { version: string; origin: string } | null = null;

/** Remembers the version that a server names. @param headers of its answer */
export function noteVersion(origin: string, headers: Headers): void {
  const version = headers.get(HEADER_NAMES.cli) ?? "";
  if (isNewerVersion(version, CLI_VERSION)) newest = { version, origin };
}

/** @returns what an old program tells at its end; null for one that is new enough */
export function describeNewerVersion(): string | null {
  if (newest === null) return null;
  const { version, origin } = newest;
  return `Version ${version} of this program is at ${origin}${cliPackagePath(version)}. This one is ${CLI_VERSION}.`;
}
