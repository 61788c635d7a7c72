import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(path, "utf8");

/** Modules of the pages that this one imports, also those that it loads on demand. */
function importsOf(path: string): string[] {
  return [...read(path).matchAll(/(?:\bfrom|\bimport)[\s(]*"([^"]+)"/g)].flatMap(([, name = ""]) => {
    const found = name.startsWith("#app/")
      ? resolve("app", name.slice("#app/".length))
      : resolve(dirname(path), name.startsWith(".") ? name : "nowhere");
    return existsSync(found) ? [found] : [];
  });
}

function graphOf(route: string): Set<string> {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    importsOf(path).forEach(add);
  };
  add(resolve(route));
  return found;
}

/** @param pattern its group holds the quoted names */
function namesIn(paths: Iterable<string>, pattern: RegExp): Set<string> {
  const calls = [...paths].flatMap((path) => [...read(path).matchAll(pattern)].map(([, list = ""]) => list));
  return new Set(calls.flatMap((list) => [...list.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name)));
}

const LOADED = /(?:load(?:Messages|Texts)\(|MESSAGE_GROUPS = )([^;}]*)/g;
const USED = /useMessages\(("\w+")\)/g;

/** What the root route loads for every page. */
const ON_EVERY_PAGE = ["common", "signIn", "fields"];

/** Groups that the root route loads for the pages of account and dashboard, whose tabs stay when a page fails. */
const ON_PAGES_WITH_TABS = ["tabs"];

/** Groups of modules that a page imports and never shows. */
const NEVER_SHOWN: Record<string, readonly string[]> = {
  "routes/chunked-upload.tsx": ["transferUpload", "transfers"],
  // Whoever sends into a request gets no link to share or to protect.
  "routes/r.$token.tsx": ["feed", "guards", "sealing", "sharing", "transfers"],
};

it("every page loads the messages of all that it can show", () => {
  const routes = globSync("app/routes/*.tsx");
  expect(routes.length).toBeGreaterThan(30);
  const missing = routes.flatMap((route) => {
    const graph = graphOf(route);
    const loaded = namesIn(graph, LOADED);
    const ofRoot = /routes.(account|dashboard)/.test(route) ? [...ON_EVERY_PAGE, ...ON_PAGES_WITH_TABS] : ON_EVERY_PAGE;
    const shown = NEVER_SHOWN[route.replaceAll("\\", "/").replace("app/", "")] ?? [];
    return [...namesIn(graph, USED)]
      .filter((group) => !loaded.has(group) && ![...ofRoot, ...shown].includes(group))
      .map((group) => `${route}: ${group}`);
  });
  expect(missing).toEqual([]);
});
