import { safeFilename } from "#domain/safe-filename.ts";
import { checkPath } from "#domain/transfers/paths.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { EXIT, Failure } from "../failure.ts";

/**
 * Names come from strangers, and may be saved on any system: a colon would lead Windows to another drive, or into a
 * hidden stream of a file.
 * @param isSingle the link leads to one file: senders may have given it a name that not every system can hold
 * @returns a path below the folder that files are saved into
 * @throws Failure `damaged` for a file of several whose path is not as their sender's program made it
 */
export function localName(name: string, isSingle: boolean): string {
  if (isSingle) return portableName(safeFilename(name));
  if (!checkPath(name)) throw new Failure(EXIT.damaged, `The server names a file "${name}", which is no name.`);
  return name;
}
