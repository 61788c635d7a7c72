import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BUILT_FILES, readsBuiltFile } from "#domain/built-files.ts";

/** Rules for the platform, which does not serve them: a file of such a name can be sent anyway. */
const RULES = "_headers";

describe("the files at the top of the site", () => {
  it("are all listed, so that a file of the same name can be sent [SEND-5]", () => {
    const built = readdirSync("build/client", { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== RULES)
      .map(({ name }) => `/${name}`);
    expect([...BUILT_FILES].sort()).toEqual(built.sort());
  });

  it("come from the Worker, as wrangler.toml says", () => {
    const [, list = ""] = /run_worker_first = \[([^\]]*)\]/.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
    expect([...list.matchAll(/"([^"]+)"/g)].map(([, path]) => path)).toEqual([...BUILT_FILES]);
  });

  it("are read by every method but PUT", () => {
    expect(readsBuiltFile("GET", "/favicon.ico")).toBe(true);
    expect(readsBuiltFile("HEAD", "/send.sh")).toBe(true);
    expect(readsBuiltFile("PUT", "/favicon.ico")).toBe(false);
    expect(readsBuiltFile("GET", "/a.txt")).toBe(false);
  });

  it("have the headers that the Worker gives every answer", () => {
    const [everywhere = ""] = readFileSync(`public/${RULES}`, "utf8").split("\n\n");
    expect(everywhere.split("\n").map((line) => line.trim())).toEqual([
      "/*",
      "X-Content-Type-Options: nosniff",
      "X-Frame-Options: DENY",
      "Referrer-Policy: strict-origin-when-cross-origin",
      "Strict-Transport-Security: max-age=63072000",
    ]);
  });
});
