import { describeRelease, integrityOf } from "./release.ts";

const ID = "A".repeat(22);
/** A page of each kind: for everybody, of a link, and of an upload request. The link and the request need not exist. */
const PAGES = ["/", `/download/${ID}`, `/r/${ID}`];
const AT_ONCE = 8;

/** The first characters of the scripts inside our pages: our own, Remix's three, and data for search engines. */
const OWN_SCRIPTS = [
  /^\(\(\) => \{\n {2}const noted = new Map\(\)/,
  /^\(\(a,l\)=>\{if\(!window\.history\.state/,
  /^window\.__remixContext(?: = |\.streamController\.)/,
  /^;?\s*import \* as route0 from "\/assets\//,
  /^\{"@context":/,
  /^\{"integrity":/,
];

export interface Comparison {
  /** The release's id of the local build. */
  id: string;
  checked: number;
  /** A sentence for each difference. */
  differences: string[];
}

/**
 * Fetches every file of the local build from a site, and three of its pages.
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
  return { id, checked: paths.length, differences: [...differences, ...(await comparePages(origin, files))] };
}

/**
 * Looks at the scripts that pages load and contain.
 * @param files of the release that the site serves, by path @param paths of the pages
 * @returns a sentence for each script that is not the release's, and for each page that may get a foreign script
 */
export async function comparePages(
  origin: string,
  files: Record<string, string>,
  paths: readonly string[] = PAGES,
): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => comparePage(origin, path, files)));
  return found.flat();
}

async function compareFile(origin: string, path: string, expected: string): Promise<string[]> {
  const response = await fetch(origin + path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) return [`${path} is missing (${response.status}).`];
  return integrityOf(bytes) === expected ? [] : [`${path} is another file.`];
}

/**
 * A page may load only scripts of the build. The settings of a Cloudflare zone can put scripts into pages: such a
 * script has our nonce and stands in the page itself.
 */
async function comparePage(origin: string, path: string, files: Record<string, string>): Promise<string[]> {
  const response = await fetch(origin + path, { headers: { accept: "text/html", "sec-fetch-site": "none" } });
  const html = await response.text();
  const scripts = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script/gis)].map(([, attributes = "", text = ""]) => ({
    src: /\ssrc=["']?([^"'\s>]+)/i.exec(attributes)?.[1],
    text,
  }));
  const loaded = scripts.flatMap(({ src, text }) =>
    src === undefined
      ? [...text.matchAll(/["'(](\/assets\/[\w.$-]+\.js)["')]/g)].map(([, asset = ""]) => asset)
      : [src],
  );
  const foreign = scripts.filter(({ src, text }) => src === undefined && !OWN_SCRIPTS.some((own) => own.test(text)));
  const { headers } = response;
  const policy = headers.get("content-security-policy") ?? "";
  const [, allowed = ""] = /(?:^|; )script-src ([^;]*)/.exec(policy) ?? [];
  const isStrict = /^\S+\/assets\/ 'nonce-[^']+'$/.test(allowed) && allowed.startsWith(`${origin}/assets/ `);
  const mayChange = path !== "/" && !(headers.get("cache-control") ?? "").includes("no-transform");
  const unknown = [...new Set(loaded.filter((script) => !(script in files)))];
  return [
    ...unknown.map((script) => `${path} loads ${script}, which the release does not have.`),
    ...foreign.map(({ text }) => `${path} contains a script that is not ours: ${text.trim().slice(0, 60)}`),
    ...(isStrict ? [] : [`${path} allows other scripts: ${allowed || "any"}.`]),
    ...(mayChange ? [`${path} may be changed on its way: its Cache-Control has no no-transform.`] : []),
  ];
}
