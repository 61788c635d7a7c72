import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";

const REPORT = "docs/soak.md";

const INTRODUCTION = `# Soak

The last results of \`npm run soak\`. Each part of the soak replaces its own section of this page.
`;

/** The result of a part of the soak, a section of docs/soak.md. */
export interface Section {
  title: string;
  text: string;
  /** The name and value of each row. */
  rows: [string, string | number][];
  /** The day of the run, in ISO 8601. */
  day: string;
  commit: string;
}

/** Adds a section to docs/soak.md, or replaces it, with today's date. @param rows name and value of each row */
export async function report(title: string, text: string, rows: Section["rows"]): Promise<void> {
  const old = await readFile(REPORT, "utf8").catch(() => INTRODUCTION);
  const section = { title, text, rows, day: new Date().toISOString().slice(0, 10), commit: readCommit() };
  const options = await resolveConfig(REPORT);
  await writeFile(REPORT, await format(withSection(old, section), { ...options, parser: "markdown" }));
}

/** @returns the document, in which the section stands at the place of its former version, else at the end */
export function withSection(document: string, { title, text, rows, day, commit }: Section): string {
  const sections = document.split(/^(?=## )/m).map((section) => section.trim());
  const all = [["day", day], ["commit", commit], ...rows];
  const table = ["| | |", "| --- | ---: |", ...all.map(([name, figure]) => `| ${name} | ${figure} |`)].join("\n");
  const previous = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  sections.splice(
    previous < 0 ? sections.length : previous,
    previous < 0 ? 0 : 1,
    `## ${title}\n\n${text}\n\n${table}`,
  );
  return `${sections.join("\n\n")}\n`;
}

/** @returns a short hash, and whether files differ from that commit; docs/soak.md does not count */
function readCommit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--", ".", `:!${REPORT}`);
  return git("rev-parse", "--short", "HEAD") + (changed === "" ? "" : ", with changes");
}
