import { safeFilename } from "../safe-filename.ts";

/** File name of a transfer's ZIP. @param selected how many entries a selection has; absent for the whole transfer */
export function archiveName(title: string, selected?: number): string {
  const selection = selected === undefined ? "" : ` (${selected} ${selected === 1 ? "file" : "files"})`;
  return `${safeFilename(title)}${selection}.zip`;
}
