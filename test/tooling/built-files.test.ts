import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BUILT_FILES, readsBuiltFile } from "#domain/built-files.ts";

/** Rules for the platform, which serves neither: a file of such a name can be sent anyway. */
const RULES = ["_headers", "_redirects"];

describe("the files at the top of the site", () => {
  it("are all listed with what is redirected, so that a file of the same name can be sent", () => {
    const built = readdirSync("build/client", { withFileTypes: true })
      .filter((entry) => entry.isFile() && !RULES.includes(entry.name))
      .map(({ name }) => `/${name}`);
    const redirected = readFileSync("build/client/_redirects", "utf8").trim().split("\n");
    expect(redirected).toHaveLength(1);
    const listed = [...built, ...redirected.map((rule) => rule.split(" ")[0])];
    expect([...BUILT_FILES].sort()).toEqual(listed.sort());
  });

  it("come from the Worker, as wrangler.toml says", () => {
    const [, list = ""] = /run_worker_first = \[([^\]]*)\]/.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
    expect([...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path)).toEqual([...BUILT_FILES]);
  });

  it("are read by every method but PUT", () => {
    expect(readsBuiltFile("GET", "/favicon.ico")).toBe(true);
    expect(readsBuiltFile("HEAD", "/send.sh")).toBe(true);
    expect(readsBuiltFile("PUT", "/favicon.ico")).toBe(false);
    expect(readsBuiltFile("GET", "/cli")).toBe(true);
    expect(readsBuiltFile("PUT", "/cli")).toBe(false);
    expect(readsBuiltFile("GET", "/a.txt")).toBe(false);
  });
});
