import { MIB } from "../units.ts";

/** The most lines of one import. */
export const MAX_IMPORTED_LINES = 100_000;
export const BLOCK_LABEL_MAX_LENGTH = 100;
/** Room for `MAX_IMPORTED_LINES` lines with short labels, in bytes. */
export const MAX_IMPORT_BYTES = 20 * MIB;
/** The most line numbers that an answer lists. */
export const MAX_LISTED_LINES = 1000;

/** The SHA-256 of a file that is not accepted, and why. */
export interface BlockedSum {
  /** 64 lower-case hexadecimal digits. */
  sha256: string;
  label: string;
}

/** The sum of an empty file, which is never on the list: every empty file has it. */
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** A sum, and behind a space what the sum belongs to. */
const LINE = /^([0-9a-f]{64})(?:\s+(.*))?$/i;

/**
 * Reads a list of sums: one a line, behind it a label of its own or nothing. Empty lines and lines that begin with "#"
 * are skipped.
 * @param label of the lines that have none
 * @returns the sums without repetitions, and the numbers of the lines that are no sum, from 1
 */
export function readBlockList(text: string, label: string): { sums: BlockedSum[]; bad: number[]; lines: number } {
  const sums = new Map<string, string>();
  const bad: number[] = [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) {
    const written = line.trim();
    if (written === "" || written.startsWith("#")) continue;
    const [, sha256 = "", own = ""] = LINE.exec(written) ?? [];
    const lower = sha256.toLowerCase();
    if (lower === "" || lower === EMPTY_SHA256) bad.push(index + 1);
    else sums.set(lower, own.slice(0, BLOCK_LABEL_MAX_LENGTH) || label);
  }
  return { sums: Array.from(sums, ([sha256, of]) => ({ sha256, label: of })), bad, lines: lines.length };
}

/** @returns the sums as `readBlockList` reads them, with a line break at the end of each line */
export function writeBlockList(sums: readonly BlockedSum[]): string {
  return sums.map(({ sha256, label }) => `${sha256} ${label}\n`).join("");
}

/** Leaves out the sums that the list never has. */
export function blockable(sums: readonly (string | null)[]): string[] {
  return [...new Set(sums.flatMap((sum) => (sum === null || sum === EMPTY_SHA256 ? [] : [sum])))];
}
