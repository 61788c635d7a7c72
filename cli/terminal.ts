import { formatBytes, formatDuration, SECOND_MS } from "#domain/units.ts";
import type { Progress } from "#engine/progress.ts";
import { shown, shownAsJson } from "../opener/show.ts";

const BAR_WIDTH = 30;
/** Without a terminal, a progress line is written after each step of this many percent, or after `LINE_MS`. */
const LINE_PERCENT = 10;
const LINE_MS = 30 * SECOND_MS;

/** Messages and progress for people, on standard error. Standard output has only the result. */
export class Terminal {
  readonly isQuiet: boolean;
  /** Nobody watches the progress in CI, even where CI pretends to have a terminal. */
  readonly #isLive = process.stderr.isTTY && !process.env.CI;
  #isDrawn = false;
  #lastLine = { percent: 0, at: Date.now() };

  constructor(isQuiet: boolean) {
    this.isQuiet = isQuiet;
  }

  /** @param text may hold names that strangers chose */
  note(text: string): void {
    if (this.isQuiet) return;
    this.clear();
    writeError(text);
  }

  progress({ percent, loadedBytes, totalBytes, speed, timeLeftMs }: Progress): void {
    if (this.isQuiet) return;
    const hasTotal = totalBytes < Infinity;
    const pace = speed > 0 ? `  ${formatBytes(speed)}/s` : "";
    const left = timeLeftMs === null || percent === 100 ? "" : `  ${formatDuration(timeLeftMs)} left`;
    const share = hasTotal ? `${String(percent).padStart(3)} %  ` : "";
    const total = hasTotal ? ` of ${formatBytes(totalBytes)}` : "";
    const text = `${share}${formatBytes(loadedBytes)}${total}${pace}${left}`;
    if (this.#isLive) {
      const bar = "#".repeat(Math.floor((percent * BAR_WIDTH) / 100)).padEnd(BAR_WIDTH, ".");
      this.#isDrawn = true;
      process.stderr.write(`\r${hasTotal ? `[${bar}] ` : ""}${text}\u001b[K`);
      return;
    }
    const now = Date.now();
    if (percent - this.#lastLine.percent < LINE_PERCENT && now - this.#lastLine.at < LINE_MS) return;
    this.#lastLine = { percent, at: now };
    console.error(text.trim());
  }

  clear(): void {
    if (this.#isDrawn) process.stderr.write("\r\u001b[K");
    this.#isDrawn = false;
  }
}

/** Whether the program can ask a person for input. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !process.env.CI;
}

/** Writes a line to standard error, with --quiet too. @param text may hold names that strangers chose */
export function writeError(text: string): void {
  console.error(shown(text));
}

/** Writes lines of the result. @param lines without line breaks; they may hold names that strangers chose */
export function writeLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${shown(line)}\n`).join(""));
}

/** Writes the result: with `--json` as one object, else as the lines that `linesOf` makes of it. */
export function writeResult<Result extends object>(
  { json = false }: { json?: boolean },
  result: Result,
  linesOf: (result: Result) => string[],
): void {
  if (json) process.stdout.write(`${shownAsJson(result)}\n`);
  else writeLines(linesOf(result));
}
