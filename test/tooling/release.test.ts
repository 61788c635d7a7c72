// @module-tag long
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compareRelease } from "../../scripts/compare-release.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { describeRelease, type Release } from "../../scripts/release.ts";

const BUILT = "build/client";

let server: LocalServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  cpSync(BUILT, folder, { recursive: true });
  server = await prepareServer();
  await server.start();
}, 240_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

it("a site that serves this build has no difference, and publishes the list of its hashes [SEAL-19]", async () => {
  const { id, checked, differences } = await compareRelease(server.origin, BUILT);
  expect(differences).toEqual([]);
  expect(checked).toBeGreaterThan(150);
  const published = (await (await fetch(`${server.origin}/release.json`)).json()) as Release;
  expect(published).toEqual(describeRelease(BUILT));
  expect(published.id).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{12}$/);
  for (const path of ["/mayfly-open.mjs", "/open-worker.js", "/share-worker.js"])
    expect(published.files[path]).toMatch(/^sha256-[\w+/]{43}=$/);
});

it("each page names the release in its footer [SEAL-19]", async () => {
  const { id } = describeRelease(BUILT);
  for (const [language, text] of [
    ["en", `Release ${id}`],
    ["de", `Version ${id}`],
  ] as const) {
    const page = await (await fetch(server.origin, { headers: { "accept-language": language } })).text();
    expect(page).toMatch(new RegExp(`<a href="/release.json"[^>]*>${text}</a>`));
  }
});

it("a changed and a missing file are named, and the release has another id [SEAL-19]", async () => {
  const original = readFileSync(join(folder, "share-worker.js"), "utf8");
  writeFileSync(join(folder, "share-worker.js"), `${original}\n`);
  writeFileSync(join(folder, "assets/not-there.js"), "");
  const { id, differences } = await compareRelease(server.origin, folder);
  expect(differences).toEqual(["/assets/not-there.js is missing (404).", "/share-worker.js is another file."]);
  expect(id).not.toBe(describeRelease(BUILT).id);
});

it("a page that loads or contains other scripts, allows them, or may be changed, is named [SEAL-19]", async () => {
  const { files } = describeRelease(BUILT);
  // As Cloudflare's bot detection puts its own into a page, with the page's nonce.
  const injected = '<script nonce="x">(function(){function c(){var b=a.contentDocument}})()</script>';
  const page = `<script src="https://evil.example/a.js"></script><script>import("/assets/evil-1.js")</script>${injected}`;
  const site = createServer((request, response) => {
    const path = request.url ?? "/";
    if (path in files) response.end(readFileSync(BUILT + path));
    else response.setHeader("content-security-policy", "script-src 'self' https://evil.example").end(page);
  });
  site.listen(0);
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const { differences } = await compareRelease(`http://localhost:${port}`, BUILT);
  site.closeAllConnections();
  site.close();
  const id = "A".repeat(22);
  expect(differences).toEqual(
    ["/", `/download/${id}`, `/r/${id}`].flatMap((path) => [
      `${path} loads https://evil.example/a.js, which the release does not have.`,
      `${path} loads /assets/evil-1.js, which the release does not have.`,
      `${path} contains a script that is not ours: import("/assets/evil-1.js")`,
      `${path} contains a script that is not ours: (function(){function c(){var b=a.contentDocument}})()`,
      `${path} allows other scripts: 'self' https://evil.example.`,
      ...(path === "/" ? [] : [`${path} may be changed on its way: its Cache-Control has no no-transform.`]),
    ]),
  );
});

it("the page of a link, and of an upload request, comes compressed and forbids changes on its way", async () => {
  for (const path of [`/download/${"A".repeat(22)}`, `/r/${"A".repeat(22)}`]) {
    const ask = (encoding: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { accept: "text/html", "accept-encoding": encoding, "sec-fetch-site": "none" };
        get(`${server.origin}${path}`, { headers }, resolve).on("error", reject);
      });
    const [packed, plain] = [await ask("gzip, br"), await ask("identity")];
    expect(packed.headers).toMatchObject({
      "cache-control": "private, no-store, no-transform",
      "content-encoding": "gzip",
      vary: "accept-encoding",
    });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const [html, sent] = [await buffer(plain), await buffer(packed)];
    expect(gunzipSync(sent).toString()).toContain("</html>");
    expect(sent.length).toBeLessThan(html.length / 2);
  }
});
