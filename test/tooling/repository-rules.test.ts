import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { readProofs, readRequirements } from "../../scripts/requirements.ts";

const requirements = readRequirements();
const proofs = readProofs();

describe("the repository", () => {
  it("the product's name is written in one place, and in the names of headers [NAV-27]", () => {
    const sources = globSync("{app,cli,domain,durable-objects,engine,worker}/**/*.{ts,tsx}");
    expect(sources.length).toBeGreaterThan(100);
    const naming = sources.filter((file) => readFileSync(file, "utf8").includes("Mayfly"));
    expect(naming.sort()).toEqual(["domain/brand.ts", "domain/header-names.ts"]);
  });

  it("no page, message or check writes a plan's size or price of its own [CONST-1]", () => {
    const sources = globSync("{app,cli,durable-objects,engine,messages,worker}/**/*.{ts,tsx}");
    expect(sources.length).toBeGreaterThan(100);
    const written = sources.flatMap((file) => {
      const code = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      const numbers = code.matchAll(/\d\s*[KMGT]i?B\b|\b(?:500|2|10|50|100) \* [MG]IB\b|\b1?9[.,]99\b|\b1?999\b/g);
      return [...numbers].map(([number]) => `${file}: ${number}`);
    });
    expect(written).toEqual([]);
  });

  it("every trigger of the migrations has the form that D1 takes from afar", () => {
    const sql = globSync("migrations/*.sql").map((file) => readFileSync(file, "utf8"));
    const triggers = sql.flatMap((text) => text.match(/^.*create trigger.*$/gim) ?? []);
    expect(triggers).toHaveLength(2);
    // D1 splits the file at each semicolon that it does not see in a trigger: it looks for these words in capitals,
    // and takes the END of a CASE for the end of the trigger.
    for (const trigger of triggers) {
      expect(trigger).toMatch(/^CREATE TRIGGER [^;]* BEGIN [^;]*; END;$/);
      expect(trigger).not.toMatch(/\bcase\b/i);
    }
  });

  it("every requirement has a test, and is listed once", () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(500);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
    const shown = new Set(proofs.flatMap((proof) => proof.ids));
    expect(ids.filter((id) => !shown.has(id))).toEqual([]);
  });

  it("every id in a test's title is that of a requirement", () => {
    const known = new Set(requirements.map(({ id }) => id));
    const unknown = proofs.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: ${title} [${id}]`),
    );
    expect(unknown).toEqual([]);
  });

  it("every test that a part of the soak runs exists", () => {
    const proofs = [...readFileSync("soak/in-tests.ts", "utf8").matchAll(/file: "([^"]+)",\s+title: "([^"]*)"/g)];
    expect(proofs.length).toBeGreaterThan(4);
    const lost = proofs.filter(([, file = "", title = ""]) => !readFileSync(file, "utf8").includes(title));
    expect(lost.map(([proof]) => proof)).toEqual([]);
  });

  it("every group of browser tests has one that runs every day", () => {
    const specs = globSync("test/e2e/**/*.spec.ts");
    expect(specs.length).toBeGreaterThan(50);
    const groups = new Set(specs.map((file) => dirname(file)));
    const everyday = specs.filter((file) => readFileSync(file, "utf8").includes('@everyday"'));
    expect(everyday.length).toBeGreaterThan(35);
    expect([...groups].filter((group) => !everyday.some((file) => dirname(file) === group))).toEqual([]);
  });

  it("exactly the existing settings are documented", () => {
    const settings = [...readFileSync("worker/settings.ts", "utf8").matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)];
    const [, table = ""] = readFileSync("docs/operations.md", "utf8").split(/^## Settings$/m);
    const [section = ""] = table.split(/^## /m);
    const explained = section.split("\n").flatMap((line) => {
      const [, setting = "", explanation = ""] = line.split("|").map((cell) => cell.trim());
      return explanation === "" ? [] : [...setting.matchAll(/`([A-Z][A-Z0-9_]+)`/g)];
    });
    expect(settings.length).toBeGreaterThan(20);
    expect(explained.map(([, name]) => name).sort()).toEqual(settings.map(([, name]) => name).sort());
  });
});
