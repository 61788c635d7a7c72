import type { ManifestFile } from "#domain/seal/manifest.ts";
import { formatBytes, SECOND_MS } from "#domain/units.ts";
import type { Transfer } from "./transfer.ts";

/** Control characters and line breaks, which could change what a terminal shows. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
/** Direction marks, tags and characters of no width, which could hide a part of a text. */
const HIDDEN = /[\p{Cf}\u{e0000}-\u{e007f}]/gu;
const BAR_WIDTH = 30;
const REDRAW_MS = SECOND_MS / 10;

/** @returns the list of a transfer's files, with the numbers that `--file` takes */
export function listing({ manifest: { title, message, final, files }, isRemoved }: Transfer): string {
  const heads = [title, message].filter((text) => text !== undefined && text !== "");
  const rows = files.map((file, index) => rowOf(index + 1, file, isRemoved(file.stream)));
  const note = final ? [] : ["This transfer is still arriving: more files may follow."];
  return [...heads.map((text) => shown(text ?? "")), ...rows, ...note].join("\n");
}

function rowOf(number: number, { name, size, mtime }: ManifestFile, isRemoved: boolean): string {
  const date = isRemoved ? "removed   " : new Date(mtime).toISOString().slice(0, 10);
  return `${String(number).padStart(5)}  ${formatBytes(size).padStart(11)}  ${date}  ${shown(name)}`;
}

/** @param text of the sender or the server @returns the text without characters that could deceive a terminal's user */
export function shown(text: string): string {
  return text.replaceAll(CONTROLS, " ").replaceAll(HIDDEN, "");
}

/** @returns the value as JSON in one line that is safe for a terminal: characters that `shown` removes are escaped */
export function shownAsJson(value: unknown): string {
  const escaped = (text: string) =>
    text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return JSON.stringify(value).replaceAll(CONTROLS, escaped).replaceAll(HIDDEN, escaped);
}

/** @returns the text without invisible characters, to compare names: some file systems ignore such characters */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, "");
}

/** Draws a progress bar on standard error if that is a terminal. */
export class Progress {
  readonly #name: string;
  readonly #size: number;
  #drawnAt = 0;
  #isDrawn = false;

  constructor({ name, size }: Pick<ManifestFile, "name" | "size">) {
    this.#name = shown(name);
    this.#size = size;
  }

  update(bytes: number): void {
    const now = Date.now();
    if (!process.stderr.isTTY || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    this.#isDrawn = true;
    const part = this.#size === 0 ? 1 : bytes / this.#size;
    const bar = "#".repeat(Math.floor(part * BAR_WIDTH)).padEnd(BAR_WIDTH, ".");
    process.stderr.write(`\r[${bar}] ${String(Math.floor(part * 100)).padStart(3)} %  ${this.#name}\u001b[K`);
  }

  clear(): void {
    if (this.#isDrawn) process.stderr.write("\r\u001b[K");
    this.#isDrawn = false;
  }
}
