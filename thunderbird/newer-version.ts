import { isNewerVersion } from "#domain/cli-package.ts";
import { THUNDERBIRD_PATH, readPackageVersion } from "#domain/thunderbird-package.ts";
import { host } from "./host.ts";

/**
 * The address of a newer version of the add-on that a site serves. Thunderbird itself cannot look for one: the add-on
 * is the same for all sites, and names none.
 * @returns null if this version is new enough, or the site does not answer
 */
export async function newerVersion(origin: string): Promise<string | null> {
  try {
    const { url } = await fetch(`${origin}${THUNDERBIRD_PATH}`, { method: "HEAD", credentials: "omit" });
    return isNewerVersion(readPackageVersion(url), host.runtime.getManifest().version) ? url : null;
  } catch {
    return null;
  }
}
