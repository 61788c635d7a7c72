import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { limitFor } from "#domain/plans.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import { PICTURE_FOLDER, pictureNames } from "../../scripts/screenshots/pictures.ts";

const documents = [...globSync("*.md"), ...globSync("docs/**/*.md")];

/** Where a document leads to: links, and pictures of both themes. Without code. */
function targetsOf(path: string): string[] {
  const text = readFileSync(path, "utf8")
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const pictures = [...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)].map(([, target = ""]) => target);
  return [...links, ...pictures];
}

/** Headings as GitHub names them. */
function anchorsOf(path: string): Set<string> {
  const headings = [
    ...readFileSync(path, "utf8")
      .replaceAll(/^```[\s\S]*?^```$/gm, "")
      .matchAll(/^#{1,6} (.+)$/gm),
  ];
  return new Set(
    headings.map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("the documents", () => {
  it("every link leads to a file that exists, and to one of its headings", () => {
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

  it("the index names every document", () => {
    const named = new Set(targetsOf("docs/README.md").map((target) => target.split("#")[0]));
    const missing = globSync("*.md", { cwd: "docs" }).filter((name) => name !== "README.md" && !named.has(name));
    expect(missing).toEqual([]);
    expect(named).toContain("decisions");
  });

  it("the pictures are exactly those that `npm run screenshots` takes, and small", () => {
    expect(readdirSync(PICTURE_FOLDER).sort()).toEqual(pictureNames().sort());
    const bytes = pictureNames().reduce((sum, name) => sum + statSync(join(PICTURE_FOLDER, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(2.5 * MIB);
  });

  it("a picture that a document shows has a dark one beside it", () => {
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

  it("the README says what the plans say", () => {
    const [free, largest] = [limitFor("free"), limitFor("ultimate")];
    const sentence = `**${formatBytes(free.fileSizeBytes)} for free, kept for up to 3 days;** ${formatBytes(largest.fileSizeBytes)}, kept for ever,`;
    expect(free.longestExpiration).toBe("3d");
    expect(largest.longestExpiration).toBe("never");
    expect(readFileSync("README.md", "utf8")).toContain(sentence);
  });
});
