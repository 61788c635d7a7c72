/** The version of the Thunderbird add-on. Every change needs a higher version, because a browser may keep an older file. */
export const THUNDERBIRD_VERSION = "0.1.0";

/** Leads to the newest version of the add-on. */
export const THUNDERBIRD_PATH = "/thunderbird";

const PACKAGE = /\/mayfly-(\d{1,4}\.\d{1,4}\.\d{1,4})\.xpi$/;

/** The path at which a deployment serves the add-on. */
export function thunderbirdPackagePath(version: string): string {
  return `${THUNDERBIRD_PATH}/mayfly-${version}.xpi`;
}

/** @param address of a package @returns its version; "" for another address */
export function readPackageVersion(address: string): string {
  return PACKAGE.exec(address)?.[1] ?? "";
}
