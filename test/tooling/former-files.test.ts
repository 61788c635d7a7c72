import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { gatherFiles } from "../../scripts/deploy/former-files.ts";
import { describeRelease, type Release } from "../../scripts/release.ts";

const MONDAY = Date.parse("2026-11-30T09:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let root: string;
let site: Server;
let live: string;
/** What the live site answers, by path. "hangs": an answer that does not end. */
let served: Record<string, string | { status: number }>;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "former-"));
  served = {};
  site = createServer((request, response) => {
    const answer = served[request.url ?? ""] ?? { status: 404 };
    if (answer === "hangs") response.writeHead(200).write("1");
    else if (typeof answer === "string") response.end(answer);
    else response.writeHead(answer.status, { location: "https://elsewhere.example/" }).end("other");
  }).listen(0);
  await once(site, "listening");
  live = `http://localhost:${(site.address() as AddressInfo).port}`;
});
afterEach(() => {
  site.closeAllConnections();
  site.close();
  rmSync(root, { recursive: true });
});

/** Writes the files of a build. @returns its folder */
function build(name: string, files: Record<string, string>): string {
  const folder = join(root, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, "release.json"), JSON.stringify(describeRelease(folder)));
  return folder;
}

interface Deployed {
  release: Release;
  told: string[];
  read(path: string): string | null;
}

async function deploy(built: string, now: number, limits?: Parameters<typeof gatherFiles>[1]): Promise<Deployed> {
  const folder = join(root, "deployed");
  const told: string[] = [];
  await gatherFiles({ live, built, folder, now, print: (line) => told.push(line) }, limits);
  const read = (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : null);
  const release = JSON.parse(read("/release.json") ?? "") as Release;
  return { release, told, read };
}

/** Lets the live site serve what was deployed. */
function serve({ release, read }: Deployed): void {
  const former = (release.former ?? []).flatMap(({ files }) => Object.keys(files));
  const paths = [...Object.keys(release.files), ...former, "/release.json"];
  served = Object.fromEntries(paths.map((path) => [path, read(path) ?? ""]));
}

const hash = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const FIRST = { "assets/root-1.js": "first", "assets/same.css": "same", "assets/fonts/a.js": "a", "send.sh": "one" };
const SECOND = { "assets/root-2.js": "second", "assets/same.css": "same", "send.sh": "two" };
const THIRD = { "assets/root-3.js": "third", "assets/root-3.css": "style", "send.sh": "three" };

it("the hashed files of a release stay for a week after the next one [OPS-1]", async () => {
  const [first, second, third] = [build("1", FIRST), build("2", SECOND), build("3", THIRD)];
  const one = await deploy(first, MONDAY);
  expect(one.told).toEqual([
    `Pages that are open now will load anew: ${live}/release.json could not be used (the site answered 404).`,
  ]);
  serve(one);

  const two = await deploy(second, MONDAY + HOUR);
  const ofFirst = { "/assets/fonts/a.js": hash("a"), "/assets/root-1.js": hash("first") };
  expect(two.release).toEqual({
    ...describeRelease(second),
    former: [{ id: one.release.id, until: "2026-12-07T10:00:00.000Z", files: ofFirst }],
  });
  expect([two.read("/assets/root-1.js"), two.read("/assets/fonts/a.js")]).toEqual(["first", "a"]);
  expect([two.read("/send.sh"), two.read("/assets/same.css")]).toEqual(["two", "same"]);
  expect(two.told).toEqual([`Keeping 2 files of former releases, for pages that are open now: ${one.release.id}.`]);
  serve(two);

  // Deployed again, with other settings.
  const again = await deploy(second, MONDAY + 2 * HOUR);
  expect(again.release).toEqual(two.release);
  serve(again);

  const three = await deploy(third, MONDAY + 3 * DAY);
  expect(three.release.former).toEqual([
    { id: two.release.id, until: "2026-12-10T09:00:00.000Z", files: expect.anything() as object },
    { id: one.release.id, until: "2026-12-07T10:00:00.000Z", files: ofFirst },
  ]);
  expect(three.release.former?.[0]?.files).toEqual({
    "/assets/root-2.js": hash("second"),
    "/assets/same.css": hash("same"),
  });
  serve(three);

  const later = await deploy(third, MONDAY + 7 * DAY + HOUR);
  expect(later.release.former?.map(({ id }) => id)).toEqual([two.release.id]);
  expect([later.read("/assets/root-1.js"), later.read("/assets/root-2.js")]).toEqual([null, "second"]);
  serve(later);

  // Back to sources whose files are still kept.
  const back = await deploy(second, MONDAY + 8 * DAY);
  expect(back.release.files).toEqual(two.release.files);
  expect(back.release.former?.map(({ files }) => Object.keys(files))).toEqual([
    ["/assets/root-3.css", "/assets/root-3.js"],
  ]);
});

it("a file of another content, a missing one and a slow one are left out and named; the others stay [OPS-2]", async () => {
  const first = build("1", { ...FIRST, "assets/b-1.js": "b", "assets/c-1.js": "c", "assets/d-1.html": "d" });
  serve(await deploy(first, MONDAY));
  served["/assets/root-1.js"] = "first, and a line of somebody else";
  served["/assets/b-1.js"] = { status: 302 };
  served["/assets/c-1.js"] = "hangs";
  const { told, release, read } = await deploy(build("3", THIRD), MONDAY, {
    fileBytes: 10_000,
    files: 100,
    bytes: 10_000,
    answerMs: 500,
    ms: 60_000,
  });
  expect(told.slice(1).sort()).toEqual([
    "Left out /assets/b-1.js: the site answered 302.",
    "Left out /assets/c-1.js: the site did not answer in time.",
    "Left out /assets/d-1.html: the new release has no files of this kind.",
    "Left out /assets/root-1.js: its content is not what the site's release.json says.",
  ]);
  expect(release.former?.map(({ files }) => Object.keys(files))).toEqual([["/assets/fonts/a.js", "/assets/same.css"]]);
  expect([read("/assets/root-1.js"), read("/assets/b-1.js"), read("/assets/c-1.js")]).toEqual([null, null, null]);
});

it("no more files and bytes are kept than a version may have", async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`assets/f-${n}.js`, "x".repeat(100)]));
  serve(await deploy(build("1", files), MONDAY));
  const limits = { fileBytes: 10_000, files: 12, bytes: 10_000, answerMs: 5000, ms: 60_000 };
  const third = build("3", THIRD);
  const few = await deploy(third, MONDAY, limits);
  expect(Object.keys(few.release.former?.[0]?.files ?? {})).toHaveLength(12);
  expect(few.told.at(-1)).toBe("13 more files are left out.");
  // Eight are asked for at once.
  const light = await deploy(third, MONDAY, { ...limits, files: 100, bytes: 900 });
  expect(Object.keys(light.release.former?.[0]?.files ?? {})).toHaveLength(16);
});

const NOTHING = { id: "0123456789ab", files: {} };

it.each([
  ["no JSON", "<html>", "it is no list of a release"],
  ["another JSON", JSON.stringify({ id: 1 }), "it is no list of a release"],
  [
    "a hash that is none",
    JSON.stringify({ ...NOTHING, files: { "/assets/a.js": "md5-x" } }),
    "it is no list of a release",
  ],
  ["a redirect", { status: 301 }, "the site answered 301"],
  ["an error", { status: 503 }, "the site answered 503"],
  ["a list without an end", "x".repeat(10_001), "it is too large"],
  ["an answer that does not end", "hangs", "the site did not answer in time"],
])("a live site whose release.json is %s stops nothing", async (_, answer, why) => {
  served["/release.json"] = answer;
  const limits = { fileBytes: 10_000, files: 100, bytes: 10_000, answerMs: 500, ms: 60_000 };
  const { told, release } = await deploy(build("3", THIRD), MONDAY, limits);
  expect(told).toEqual([`Pages that are open now will load anew: ${live}/release.json could not be used (${why}).`]);
  expect(release).toEqual(describeRelease(join(root, "3")));
});

it("a site that does not answer stops nothing, and a first deployment asks nobody", async () => {
  site.close();
  await once(site, "close");
  const { told, read } = await deploy(build("3", THIRD), MONDAY);
  expect(told[0]).toMatch(/^Pages that are open now will load anew: .*ECONNREFUSED/);
  expect(read("/assets/root-3.js")).toBe("third");
  const before: string[] = [];
  const folder = join(root, "deployed");
  await gatherFiles({ live: null, built: join(root, "3"), folder, now: MONDAY, print: (line) => before.push(line) });
  expect(before).toEqual([]);
});

it("a hostile list writes no file but hashed ones of known kinds, replaces none, and keeps nothing for longer [OPS-2]", async () => {
  const evil = [
    "/assets/../../escaped.js",
    "/assets/.hidden.js",
    "/_headers",
    "/index.html",
    "/assets/x.html",
    "/a.js",
  ];
  const listed = [...evil, "/assets/root-3.js", "/assets/far.js"];
  served = Object.fromEntries(listed.map((path) => [path, "evil"]));
  const files = Object.fromEntries(evil.map((path) => [path, hash("evil")]));
  served["/release.json"] = JSON.stringify({
    id: "0123456789ab",
    files: { ...files, "/assets/root-3.js": hash("evil") },
    former: [{ id: "ba9876543210", until: "9999-01-01T00:00:00.000Z", files: { "/assets/far.js": hash("evil") } }],
  });
  const { release, read, told } = await deploy(build("3", THIRD), MONDAY);
  expect(release.former).toEqual([
    { id: "ba9876543210", until: "2026-12-07T09:00:00.000Z", files: { "/assets/far.js": hash("evil") } },
  ]);
  expect(evil.map(read)).toEqual(evil.map(() => null));
  expect(existsSync(join(root, "escaped.js"))).toBe(false);
  expect(read("/assets/root-3.js")).toBe("third");
  expect(told).toContain("Left out /assets/x.html: the new release has no files of this kind.");
});
