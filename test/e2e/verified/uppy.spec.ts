import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import type Uppy from "@uppy/core";
import { guideCode } from "#app/features/developers/guide-code.ts";
import { newEmail, PASSWORD, signUpByApi } from "#test/e2e/support/accounts.ts";
import { query } from "#test/e2e/support/database.ts";
import { downloadHash } from "#test/e2e/support/files.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";
import { bundle, OtherSite } from "#test/e2e/support/other-site.ts";

/** The server's limits are on. No other test uses this address. */
test.use({ extraHTTPHeaders: { "cf-connecting-ip": "198.51.100.8" } });

/** Of the page, which has the example of the guide. */
declare const uppy: Uppy;

let site: OtherSite;

test.beforeAll(async () => {
  site = await OtherSite.open();
});

test.afterAll(() => {
  site.close();
});

/** Opens a page of another site that has the example, with a key of a new person on the free plan. */
async function openSite(page: Page, origin: string): Promise<void> {
  const email = await signUpByApi(page, newEmail());
  await query(`update users set is_verified = 1 where email = '${email}'`, origin);
  const login = await page.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  expect(login.status()).toBe(200);
  const request = { name: "A page", scopes: ["upload"], expiresIn: "7d", browserUse: true };
  const made = await page.request.post("/api/keys", { data: request, headers: { origin } });
  expect(made.status()).toBe(201);
  const { key } = (await made.json()) as { key: string };
  // A page of another site may not send this header, so the calls of Uppy go without it.
  await page.context().setExtraHTTPHeaders({});
  const example = guideCode(origin).uppy.replace("mayfly_…", key);
  site.script = await bundle(`${example}\nwindow.uppy = uppy;\n`);
  await page.goto(`${site.origin}/`);
}

/** The links that the example logs, by name. */
function watchLinks(page: Page): Map<string, string> {
  const links = new Map<string, string>();
  page.on("console", (message) => {
    const logged = /^(file-\d+\.bin) (http\S+)$/.exec(message.text());
    if (logged) links.set(logged[1] ?? "", logged[2] ?? "");
  });
  return links;
}

/** The bytes of a file of the page. */
function sumOf(number: number, size: number): string {
  return createHash("sha256").update(new Uint8Array(size).fill(number)).digest("hex");
}

test("Uppy on another site sends twenty files on the free plan [TUS-12]", async ({ page, request, baseURL }) => {
  await openSite(page, baseURL ?? "");
  const links = watchLinks(page);
  const counts = await page.evaluate(async () => {
    for (let n = 1; n <= 20; n += 1) {
      uppy.addFile({ name: `file-${n}.bin`, data: new Blob([new Uint8Array(n * 1000).fill(n)]) });
    }
    const sent = await uppy.upload();
    return [sent?.successful?.length, sent?.failed?.length];
  });
  expect(counts).toEqual([20, 0]);
  expect(links.size).toBe(20);
  for (const [name, link] of links) {
    const n = Number(/\d+/.exec(name)?.[0]);
    expect([name, await downloadHash(request, link)]).toEqual([name, sumOf(n, n * 1000)]);
  }
});

test("Uppy pauses an upload, and goes on with it [TUS-12]", async ({ page, request, baseURL }) => {
  await openSite(page, baseURL ?? "");
  const links = watchLinks(page);
  const offsets: string[] = [];
  page.on("request", (sent) => {
    if (sent.method() === "PATCH") offsets.push(sent.headers()["upload-offset"] ?? "");
  });
  const counts = await page.evaluate(async () => {
    let hasPaused = false;
    uppy.on("upload-progress", (_, { bytesUploaded }) => {
      if (hasPaused || bytesUploaded < 17_000_000) return;
      hasPaused = true;
      uppy.pauseAll();
      setTimeout(() => {
        uppy.resumeAll();
      });
    });
    uppy.addFile({ name: "file-7.bin", data: new Blob([new Uint8Array(40_000_000).fill(7)]) });
    const sent = await uppy.upload();
    return [hasPaused, sent?.successful?.length];
  });
  expect(counts).toEqual([true, 1]);
  expect(offsets.slice(0, 2)).toEqual(["0", "16777216"]);
  // The pause broke the second request off; a third one went on with what had come of it.
  expect(Number(offsets[2])).toBeGreaterThanOrEqual(16_777_216);
  expect(await downloadHash(request, links.get("file-7.bin") ?? "")).toBe(sumOf(7, 40_000_000));
});
