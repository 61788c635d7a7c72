import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { limitFor } from "#domain/plans.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import { PICTURE_FOLDER, pictureNames } from "../../scripts/screenshots/pictures.ts";

const documents = [...globSync("*.md"), ...globSync("docs/**/*.md")];

function withoutExamples(path: string): string {
  return readFileSync(path, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** Where a document leads to: links, and pictures of both themes. Without code. */
function targetsOf(path: string): string[] {
  const text = withoutExamples(path).replaceAll(/`[^`\n]*`/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const pictures = [...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(([, target = ""]) => target);
  return [...links, ...pictures];
}

/** Headings as GitHub names them. */
function anchorsOf(path: string): Set<string> {
  const headings = [...withoutExamples(path).matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Files and folders that a document names in code, from the top or from a folder that it has named before. */
function pathsIn(path: string): string[] {
  const named = [...withoutExamples(path).matchAll(/`((?:[\w.*-]+\/)*[\w.*-]+\/?)`/g)].map(([, name = ""]) => name);
  return [...new Set(named)].filter((name) => name.includes("/") || /\.(?:css|json|md|sh|toml|tsx?)$/.test(name));
}

/** A package, keys in storage, a call, and what a command makes. */
const NO_PATHS = ["zod/mini", "incoming/", "openapi.json", ".wrangler/demo"];

describe("the documents", () => {
  it.each(["docs/design.md", "CONTRIBUTING.md"])("every file and folder that %s names exists", (document) => {
    const skipped = new Set(["node_modules", "build"]);
    const files = globSync("**/*", { exclude: (name) => skipped.has(name) }).map((file) => `/${file}/`);
    const named = pathsIn(document).filter((name) => !NO_PATHS.includes(name));
    expect(named.length).toBeGreaterThan(20);
    const lost = named.filter((name) => {
      const end = name.replace(/\/$/, "").replaceAll(".", "[.]").replaceAll("*", "[^/]*");
      const there = new RegExp(`/${end}/$`);
      return !files.some((file) => there.test(file));
    });
    expect(lost).toEqual([]);
  });

  it("every link leads to a file that exists, and to one of its headings [DOOR-5]", () => {
    expect(documents.length).toBeGreaterThan(50);
    const dead = documents.flatMap((path) =>
      targetsOf(path)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [file = "", anchor] = target.split("#");
          const found = file === "" ? path : normalize(join(dirname(path), file));
          if (!existsSync(found)) return true;
          return anchor !== undefined && !anchorsOf(found).has(anchor);
        })
        .map((target) => `${path}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it("the index names every document [DOOR-6]", () => {
    const named = new Set(targetsOf("docs/README.md").map((target) => target.split("#")[0]));
    const missing = globSync("*.md", { cwd: "docs" }).filter((name) => name !== "README.md" && !named.has(name));
    expect(missing).toEqual([]);
    expect(named).toContain("decisions");
  });

  it("every decision has a date and a status", () => {
    const records = globSync("docs/decisions/*.md");
    const numbers = new Set(records.map((path) => basename(path).slice(0, 3)));
    const wrong = records.filter((path) => {
      const line = /^# .+\n\nDate: (\S+)\. Status: (?:accepted|superseded by (\d{3}))\.\n/.exec(
        readFileSync(path, "utf8"),
      );
      return !line || Number.isNaN(Date.parse(line[1] ?? "")) || !numbers.has(line[2] ?? basename(path).slice(0, 3));
    });
    expect(wrong).toEqual([]);
  });

  it("the pictures are exactly those that `npm run screenshots` takes, and small [DOOR-4]", () => {
    expect(readdirSync(PICTURE_FOLDER).sort()).toEqual(pictureNames().sort());
    const bytes = pictureNames().reduce((sum, name) => sum + statSync(join(PICTURE_FOLDER, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(2.5 * MIB);
  });

  it("a picture that a document shows has a dark one beside it [DOOR-4]", () => {
    const shown = documents.flatMap(targetsOf).filter((target) => target.includes("pictures/"));
    expect(shown.length).toBeGreaterThan(5);
    const lonely = shown.filter((target) => {
      const other = target.includes("-light.")
        ? target.replace("-light.", "-dark.")
        : target.replace("-dark.", "-light.");
      return !shown.includes(other);
    });
    expect(lonely).toEqual([]);
  });

  it("the README says what the plans say [DOOR-7]", () => {
    const [free, largest] = [limitFor("free"), limitFor("ultimate")];
    const sentence = `**${formatBytes(free.fileSizeBytes)} for free, kept for up to 3 days;** ${formatBytes(largest.fileSizeBytes)}, kept for ever,`;
    expect(free.longestExpiration).toBe("3d");
    expect(largest.longestExpiration).toBe("never");
    expect(readFileSync("README.md", "utf8")).toContain(sentence);
  });
});
