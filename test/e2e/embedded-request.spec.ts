import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import type Uppy from "@uppy/core";
import type { Upload } from "tus-js-client";
import type { ReceivedPage } from "#domain/wire.ts";
import { signUp, signUpWithClipboard } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { downloadHash, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { bundle, OtherSite } from "./support/other-site.ts";
import { choosePlan, expectToast } from "./support/plans.ts";
import { requestByApi } from "./support/requests.ts";

/** Of the page, which has tus-js-client. */
declare const TusUpload: typeof Upload;

/** Of the page, which has the copied script. */
declare const uppy: Uppy;

let site: OtherSite;

test.beforeEach(async () => {
  site = await OtherSite.open();
});

test.afterEach(() => {
  site.close();
});

async function openCode(page: Page, title: string) {
  await page.getByRole("button", { name: `More actions for ${title}` }).click();
  await page.getByRole("menuitem", { name: "Use it on your site" }).click();
  return page.getByRole("dialog", { name: "Use it on your site" });
}

/** Uppy tells the progress up to half a second late, so the last of it may follow the end of an upload. */
async function tellProgressLate(visitor: Page): Promise<void> {
  await visitor.evaluate(() => {
    uppy.emit("progress", 100);
  });
}

async function received({ request }: Page): Promise<ReceivedPage["items"]> {
  return ((await (await request.get("/api/received")).json()) as ReceivedPage).items;
}

test("an owner copies a form for their own site, and what a visitor sends there with Uppy is under Received [REQ-14]", async ({
  page,
  openBrowser,
}) => {
  await signUpWithClipboard(page);
  await requestByApi(page, "Photos", { asksName: true, kinds: ["jpg"] });
  await page.goto("/dashboard/requests");
  const code = await openCode(page, "Photos");
  await expect(code.getByText("No website may send yet. Add yours first, or browsers will refuse.")).toBeVisible();
  await expectAccessible(page, "request-embed-empty");
  await code.getByRole("button", { name: "Add your website" }).click();
  const form = page.getByRole("dialog", { name: "Change the request" });
  const sites = form.getByLabel("Websites that may send");
  await expect(sites).toBeFocused();
  await sites.fill("example.com");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(sites).toHaveAccessibleDescription(
    /Write up to 10 websites, one a line, such as https:\/\/example\.com, without a path\.$/,
  );
  await expect(sites).toBeFocused();
  await sites.fill(`https://Shop.example/\n${site.origin}/`);
  await form.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Request changed");
  await expect(code.getByRole("list")).toHaveText(`https://shop.example${site.origin}`);
  await expectAccessible(page, "request-embed");
  site.html = await code.getByRole("group", { name: "The form", exact: true }).innerText();
  await code.getByRole("button", { name: "Copy: Its script, with Uppy" }).click();
  await expectToast(page, "Copied");
  site.script = await bundle(await page.evaluate(() => navigator.clipboard.readText()));
  await code.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Photos" });
  await expect(row).toContainText("also from 2 websites");

  const visitor = await openBrowser();
  await visitor.goto(`${site.origin}/`);
  const files = [await randomFile("one.jpg", 100_000), await randomFile("two.jpg", 17_000_000)];
  await visitor.getByLabel("Files").setInputFiles(files);
  await visitor.getByLabel("Your name").fill("Ann");
  await visitor.getByRole("button", { name: "Send" }).click();
  await expect(visitor.getByText("Everything has arrived. Thank you!")).toBeVisible();
  expect(await visitor.context().cookies()).toEqual([]);

  await page.goto("/dashboard/received");
  for (const [name, file] of [
    ["one.jpg", files[0] ?? ""],
    ["two.jpg", files[1] ?? ""],
  ] as const) {
    const item = page.getByRole("main").getByRole("listitem").filter({ hasText: name });
    await expect(item).toContainText("From Ann");
    const found = (await received(page)).find(({ title }) => title === name);
    const hash = await downloadHash(page.request, `/download/${found?.downloadId}`);
    expect([name, hash]).toEqual([name, await sha256(file)]);
  }
  await page.getByRole("link", { name: "Open one.jpg" }).click();
  await expect(page.getByRole("heading", { name: "one.jpg" })).toBeVisible();
});

/** Sends two files in each visit, with the copied script. Its button is pressed twice. */
async function visitOften(page: Page, visitor: Page, visits: number): Promise<void> {
  await signUp(page);
  await choosePlan(page, "Ultimate");
  await requestByApi(page, "Photos", { origins: [site.origin] });
  await page.goto("/dashboard/requests");
  const code = await openCode(page, "Photos");
  site.html = await code.getByRole("group", { name: "The form", exact: true }).innerText();
  const script = await code.getByRole("group", { name: "Its script, with Uppy", exact: true }).innerText();
  site.script = await bundle(`${script}\nwindow.uppy = uppy;\n`);
  const starts: string[] = [];
  visitor.on("request", (request) => {
    if (request.method() === "POST") starts.push(request.url());
  });
  for (let visit = 1; visit <= visits; visit += 1) {
    await visitor.goto(`${site.origin}/`);
    const files = [await randomFile(`${visit}-one.jpg`, 100_000), await randomFile(`${visit}-two.jpg`, 1_000_000)];
    await visitor.getByLabel("Files").setInputFiles(files);
    await visitor.getByRole("button", { name: "Send" }).dblclick();
    await expect(visitor.getByText("Everything has arrived. Thank you!")).toBeVisible();
    await tellProgressLate(visitor);
    await expect(visitor.getByRole("status")).toHaveText("Everything has arrived. Thank you!");
    expect(starts).toHaveLength(2 * visit);
  }
  expect(await received(page)).toHaveLength(2 * visits);
}

test("what a visitor reads at the end of the copied script stays, and a second press sends nothing [REQ-14] @everyday", async ({
  page,
  openBrowser,
}) => {
  await visitOften(page, await openBrowser(), 1);
});

// Uppy's events overtake each other in some visits only.
test("in twenty visits, what a visitor reads at the end of the copied script stays", async ({ page, openBrowser }) => {
  test.setTimeout(600_000);
  await visitOften(page, await openBrowser(), 20);
});

test("a site that the owner has not named is refused, and a visitor reads why a named one may not send [REQ-14]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  await requestByApi(page, "Papers", { kinds: ["pdf"], origins: [site.origin] });
  await page.goto("/dashboard/requests");
  const code = await openCode(page, "Papers");
  const script = await code.getByRole("group", { name: "Its script, with Uppy", exact: true }).innerText();
  // Without what the browser checks itself.
  const html = `<form id="send-files"><input name="files" type="file" aria-label="Files"><button>Send</button><output></output></form>`;
  const impatient = script.replace("retryDelays: [0, 1000, 5000, 15000, 60000]", "retryDelays: []");
  const built = await bundle(`${impatient}\nwindow.uppy = uppy;\n`);
  const elsewhere = await OtherSite.open();
  for (const place of [site, elsewhere]) Object.assign(place, { html, script: built });
  const visitor = await openBrowser();
  expectErrors(/415|403|CORS|ERR_FAILED|Uppy/);
  const send = async ({ origin }: OtherSite) => {
    await visitor.goto(`${origin}/`);
    await visitor.getByLabel("Files").setInputFiles(await randomFile("notes.txt", 1000));
    await visitor.getByRole("button", { name: "Send" }).click();
  };
  await send(site);
  await expect(visitor.getByText("notes.txt: This request takes pdf only.")).toBeVisible();
  await tellProgressLate(visitor);
  await expect(visitor.getByRole("status")).toHaveText("notes.txt: This request takes pdf only.");
  // The page may not read the answer, so the browser gives it none.
  const refused = visitor.waitForEvent("requestfailed", (request) => request.method() === "POST");
  await send(elsewhere);
  expect((await refused).url()).toBe(new URL("/api/v1/tus", page.url()).href);
  await expect(visitor.getByText(/^notes\.txt: /)).toBeVisible();
  elsewhere.close();
  expect(await received(page)).toEqual([]);
});

test("tus-js-client on a named site goes on with an upload after the page was left [REQ-14]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const { link } = await requestByApi(page, "Films", { origins: [site.origin] });
  const { origin } = new URL(link);
  site.script = await bundle(`import { Upload } from "tus-js-client"; window.TusUpload = Upload;`);
  const visitor = await openBrowser();
  const options = {
    endpoint: `${origin}/api/v1/tus`,
    headers: { Authorization: `Bearer ${link.slice(link.lastIndexOf("/") + 1)}` },
    chunkSize: 5_000_000,
    metadata: { filename: "film.mov", senderName: "Ann" },
    retryDelays: [],
  };
  await visitor.goto(`${site.origin}/`);
  await visitor.evaluate(
    (given) =>
      new Promise<void>((resolve, reject) => {
        const file = new File([new Uint8Array(12_000_000).fill(7)], "film.mov", { lastModified: 1 });
        const upload = new TusUpload(file, {
          ...given,
          onChunkComplete: () => void upload.abort().then(resolve, reject),
          onError: reject,
        });
        upload.start();
      }),
    options,
  );
  await visitor.reload();
  const sent = await visitor.evaluate(
    (given) =>
      new Promise<[number, number[], string | undefined]>((resolve, reject) => {
        const file = new File([new Uint8Array(12_000_000).fill(7)], "film.mov", { lastModified: 1 });
        const chunks: number[] = [];
        const upload = new TusUpload(file, {
          ...given,
          onChunkComplete: (size) => chunks.push(size),
          onSuccess: ({ lastResponse }) => {
            resolve([1, chunks, lastResponse.getHeader("Mayfly-Link")]);
          },
          onError: reject,
        });
        void upload.findPreviousUploads().then((found) => {
          if (found[0]) upload.resumeFromPreviousUpload(found[0]);
          upload.start();
        });
      }),
    options,
  );
  expect(sent).toEqual([1, [5_000_000, 2_000_000], null]);
  const [film] = await received(page);
  expect(film).toMatchObject({ title: "film.mov", size: 12_000_000, senderName: "Ann" });
  const expected = createHash("sha256").update(new Uint8Array(12_000_000).fill(7)).digest("hex");
  expect(await downloadHash(page.request, `/download/${film?.downloadId}`)).toBe(expected);
});
