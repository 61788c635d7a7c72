import { describeRelease, integrityOf } from "./release.ts";

/** Pages of each kind: for everybody, and of a link. Neither needs to exist there. */
const PAGES = ["/", `/download/${"A".repeat(22)}`];
const AT_ONCE = 8;

export interface Comparison {
  /** Of the local build. */
  id: string;
  checked: number;
  /** A sentence each. */
  differences: string[];
}

/**
 * Fetches every file of the local build from a site, and two of its pages.
 * @param origin of the site @param folder the local build's files
 */
export async function compareRelease(origin: string, folder: string): Promise<Comparison> {
  const { id, files } = describeRelease(folder);
  const paths = Object.keys(files);
  const differences: string[] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    const found = await Promise.all(
      paths.slice(from, from + AT_ONCE).map((path) => compareFile(origin, path, files[path] ?? "")),
    );
    differences.push(...found.flat());
  }
  const ofPages = await Promise.all(PAGES.map((path) => comparePage(origin, path, files)));
  return { id, checked: paths.length, differences: [...differences, ...ofPages.flat()] };
}

async function compareFile(origin: string, path: string, expected: string): Promise<string[]> {
  const response = await fetch(origin + path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) return [`${path} is missing (${response.status}).`];
  return integrityOf(bytes) === expected ? [] : [`${path} is another file.`];
}

/** A page may load no script but those of the build, and none from elsewhere. */
async function comparePage(origin: string, path: string, files: Record<string, string>): Promise<string[]> {
  const response = await fetch(origin + path, { headers: { accept: "text/html" } });
  const html = await response.text();
  const scripts = [...html.matchAll(/<script[^>]*\ssrc="([^"]*)"|["'(](\/assets\/[\w.$-]+\.js)["')]/g)];
  const unknown = scripts.map(([, src, asset]) => src ?? asset ?? "").filter((script) => !(script in files));
  const policy = response.headers.get("content-security-policy") ?? "";
  const [, allowed = ""] = /(?:^|; )script-src ([^;]*)/.exec(policy) ?? [];
  const isStrict = /^\S+\/assets\/ 'nonce-[^']+'$/.test(allowed) && allowed.startsWith(`${origin}/assets/ `);
  return [
    ...new Set(unknown.map((script) => `${path} loads ${script}, which the release does not have.`)),
    ...(isStrict ? [] : [`${path} allows other scripts: ${allowed || "any"}.`]),
  ];
}
