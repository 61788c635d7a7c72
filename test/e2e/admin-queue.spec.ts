import type { Page } from "@playwright/test";
import { PASSWORD, signUpByApi } from "./support/accounts.ts";
import { expectToast, openAdmin } from "./support/admin.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { pngFile } from "./support/sample-files.ts";
import { uploadByApi } from "./support/sharing.ts";

/** Reports a link from an address of its own, because reports are limited by address. */
async function report(page: Page, downloadId: string, body: Record<string, unknown>): Promise<void> {
  const response = await page.request.post(`/api/files/download/${downloadId}/report`, { data: body });
  expect(response.status()).toBe(201);
}

/** The cases of the queue, of which other tests may have some, too. */
const caseOf = (page: Page, name: string) => page.getByRole("list", { name: "Cases" }).getByRole("button", { name });

test("the queue is worked off by keys alone, and shows nothing before a press [QUE-2, QUE-3] @everyday", async ({
  page,
  openBrowser,
}) => {
  const owner = await openBrowser();
  const email = await signUpByApi(owner);
  const mark = crypto.randomUUID().slice(0, 8);
  const picture = await uploadByApi(owner, { name: `beach-${mark}.png`, type: "image/png", body: pngFile(300, 200) });
  const other = await uploadByApi(owner, { name: `other-${mark}.txt`, type: "text/plain", body: "other" });
  const stranger = await openBrowser();
  await report(stranger, other, { reason: "phishing", message: `It asks for passwords ${mark}` });
  await report(stranger, picture, { reason: "privacy", message: `This is me ${mark}` });

  const previews: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/preview")) previews.push(request.url());
  });
  await openAdmin(page, "?tab=queue");
  await expect(caseOf(page, `beach-${mark}.png`)).toBeVisible();
  await caseOf(page, `beach-${mark}.png`).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(`This is me ${mark}`)).toBeVisible();
  await expect(page.getByText(email).last()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Other files of the account" })).toBeVisible();
  await expectAccessible(page, "admin-queue");
  await page.setViewportSize({ width: 1440, height: 1000 });
  expect(previews).toEqual([]);

  await page.getByRole("button", { name: "Look at it" }).press("Enter");
  const blurred = page.getByRole("img", { name: "The reported picture, blurred" });
  await expect(blurred).toHaveCSS("filter", /blur/);
  await expect.poll(() => blurred.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(300);
  await page.getByRole("button", { name: "Show clearly" }).press("Enter");
  await expect(page.getByRole("img", { name: "The reported picture", exact: true })).toHaveCSS("filter", "none");

  // A lets it go on, and the next case opens.
  await caseOf(page, `beach-${mark}.png`).focus();
  await page.keyboard.press("a");
  await expectToast(page, "Done");
  await expect(caseOf(page, `beach-${mark}.png`)).toHaveCount(0);
  expect((await stranger.request.get(`/api/files/download/${picture}`)).status()).toBe(200);

  // S asks for a reason, and suspends.
  await caseOf(page, `other-${mark}.txt`).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(`It asks for passwords ${mark}`)).toBeVisible();
  await page.keyboard.press("s");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Reason")).toHaveValue("This file is used to deceive people.");
  await expectAccessible(page, "admin-suspend");
  await page.setViewportSize({ width: 1440, height: 1000 });
  await dialog.getByLabel("the law").check();
  await dialog.getByRole("button", { name: "Suspend account" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(caseOf(page, `other-${mark}.txt`)).toHaveCount(0);
  expect((await stranger.request.get(`/api/files/download/${picture}`)).status()).toBe(410);
  const login = await stranger.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  expect(login.status()).toBe(403);
});

test("a suspended person objects by the link in their mail, and is restored in the queue [SUSP-4, LAW-3]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  const owner = await openBrowser();
  const email = await signUpByApi(owner);
  const [user] = await query(`select id from users where email = '${email}'`);
  await openAdmin(page, `?tab=users&q=${encodeURIComponent(email)}`);
  await page.getByRole("button", { name: `More actions for ${email}` }).click();
  await page.getByRole("menuitem", { name: "Suspend account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("It sends malware.");
  await dialog.getByRole("button", { name: "Suspend account" }).click();
  await expect(page.getByText("Suspended", { exact: true })).toBeVisible();

  const [mail] = await query(
    `select text from local_mailbox where "to" = '${email}' and subject like '%suspended%' limit 1`,
  );
  const [, path = ""] = /(\/objection\/[\w-]{43})/.exec(String(mail?.text)) ?? [];
  await owner.goto(path);
  await expect(owner.getByText("The reason: “It sends malware.”")).toBeVisible();
  await owner.getByRole("button", { name: "Send the objection" }).click();
  await expect(owner.getByText("Please say why you think that the decision is wrong.")).toBeVisible();
  await expectAccessible(owner, "objection");
  await owner.getByLabel("Why is this wrong?").fill("My key was stolen.");
  await owner.getByRole("button", { name: "Send the objection" }).click();
  await expect(owner.getByRole("heading", { name: "We have your objection" })).toBeVisible();
  await owner.reload();
  await expect(owner.getByRole("heading", { name: "We have your objection" })).toBeVisible();

  const [objection] = await query(`select id from cases where user_id = '${String(user?.id)}' and kind = 'objection'`);
  await page.goto(`/admin/dashboard?tab=queue&case=${String(objection?.id)}`);
  await expect(page.getByText("My key was stolen.")).toBeVisible();
  await page.getByRole("button", { name: "Take the decision back" }).click();
  await expectToast(page, "Done");
  const login = await owner.request.post("/api/auth/login", { data: { email, password: PASSWORD } });
  expect(login.status()).toBe(200);
  expectErrors(/404/);
  await owner.goto(`/objection/${"A".repeat(43)}`);
  await expect(owner.getByRole("heading", { name: "This link is not valid" })).toBeVisible();
});

test("a copyright notice has its fields, which the form asks for [LAW-1]", async ({ page, openBrowser }) => {
  const owner = await openBrowser();
  await signUpByApi(owner);
  const downloadId = await uploadByApi(owner, { name: "song.mp3", type: "audio/mpeg", body: "song" });
  await page.goto(`/download/${downloadId}`);
  await page.getByRole("button", { name: "Report this file" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("The work that was copied")).toHaveCount(0);
  await dialog.getByLabel("Copyright").check();
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog.getByText("Please name the work that was copied.")).toBeVisible();
  await expect(dialog.getByText("A copyright notice needs this declaration.")).toBeVisible();
  await expectAccessible(page, "report-copyright");
  await dialog.getByLabel("The work that was copied").fill("My song");
  await dialog.getByLabel("Who holds the rights").fill("Ada, the composer");
  await dialog.getByLabel("I believe in good faith").check();
  await dialog.getByLabel("Your email").fill("ada@example.com");
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog.getByRole("heading", { name: "Thank you" })).toBeVisible();
  expect(await query(`select notice from file_reports where email = 'ada@example.com'`)).toEqual([
    { notice: '{"work":"My song","holder":"Ada, the composer","goodFaith":true}' },
  ]);
});
