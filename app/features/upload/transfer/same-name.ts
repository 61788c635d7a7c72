import { portableName } from "#domain/transfers/portable-paths.ts";
import { nameOf } from "./list-draft.ts";

/** As `portablePaths` numbers equal names, before the extension. */
const NUMBER = / \(\d+\)(?=(\.[^.]*)?$)/;

/**
 * Whether a file of the disk is the one that a path of the transfer stands for. Paths hold portable names, so both are
 * compared in that form.
 * @param earlier the disk's name of the file that was chosen first; null when this device never had it
 */
export function isSameName(chosen: string, path: string, earlier: string | null): boolean {
  const name = portableName(chosen);
  if (earlier !== null) return name === portableName(earlier);
  return name === nameOf(path) || name === nameOf(path).replace(NUMBER, "");
}
