import { readFile, writeFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";

const REPORT = "docs/soak.md";

const INTRODUCTION = `# Soak

The last results of \`npm run soak\`. Each part replaces its own section.
`;

/** Replaces or adds a section of docs/soak.md. @param rows name and value */
export async function report(title: string, text: string, rows: [string, string | number][]): Promise<void> {
  const old = await readFile(REPORT, "utf8").catch(() => INTRODUCTION);
  const sections = old.split(/^(?=## )/m).map((section) => section.trim());
  const table = ["| | |", "| --- | ---: |", ...rows.map(([name, figure]) => `| ${name} | ${figure} |`)].join("\n");
  const previous = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  sections.splice(
    previous < 0 ? sections.length : previous,
    previous < 0 ? 0 : 1,
    `## ${title}\n\n${text}\n\n${table}`,
  );
  const options = await resolveConfig(REPORT);
  await writeFile(REPORT, await format(`${sections.join("\n\n")}\n`, { ...options, parser: "markdown" }));
}
