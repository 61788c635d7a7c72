import type { Locator, Page } from "@playwright/test";
import { newEmail, signUp, signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { findMail, firstLink } from "./support/mailbox.ts";
import { expectToast } from "./support/plans.ts";
import { uploadTransferByApi } from "./support/transfers.ts";
import { TRIP } from "./support/transfer-page.ts";

const SENT_YOU = /sent you files with Mayfly/;

function rowOf(page: Page, email: string): Locator {
  return page.getByRole("main").getByRole("listitem").filter({ hasText: email });
}

/** Mails the link of the page that is shown. */
async function mailTo(page: Page, addresses: string): Promise<void> {
  await page.getByRole("button", { name: "Mail it to people" }).click();
  await page.getByRole("dialog").getByLabel("To", { exact: true }).fill(addresses);
  await page.getByRole("dialog").getByRole("button", { name: "Send the link" }).click();
}

/** The link that stops mails like this one. */
function stopLinkIn(text: string): string {
  return /\S+\/unsubscribe\/\S+/.exec(text)?.[0] ?? "";
}

/** A transfer, mailed to somebody. @returns the path of the page that its unsubscribe link opens */
async function mailSomebody(page: Page): Promise<{ sender: string; email: string; stop: string; uploadId: string }> {
  const sender = await signUpByApi(page);
  const { uploadId } = await uploadTransferByApi(page.request, TRIP);
  const email = newEmail();
  expect((await page.request.post(`/api/files/${uploadId}/share`, { data: { email } })).ok()).toBe(true);
  const stop = new URL(stopLinkIn(await findMail(page, email, SENT_YOU))).pathname;
  return { sender, email, stop, uploadId };
}

test("a transfer is mailed to two people, and its page shows who opened and downloaded it [NOTE-1] @everyday", async ({
  page,
  openBrowser,
}) => {
  const sender = await signUp(page);
  const { uploadId, downloadId } = await uploadTransferByApi(page.request, TRIP, { title: "The trip" });
  const [ann, bob] = [newEmail(), newEmail()];
  await page.goto(`/dashboard/${uploadId}`);
  await expect(page.getByText("You have not mailed this link to anybody.")).toBeVisible();
  await mailTo(page, `${ann}, nobody`);
  await expect(page.getByRole("dialog").getByText("Not an email address: nobody")).toBeVisible();
  await page.getByRole("dialog").getByLabel("To", { exact: true }).fill(`${ann}, ${bob}`);
  await page.getByRole("dialog").getByRole("button", { name: "Send the link" }).click();
  const sent = page.getByRole("dialog", { name: "Sent to 2 people" });
  await expect(sent.getByRole("listitem")).toHaveText([`${ann}Sent`, `${bob}Sent`]);
  await sent.getByRole("button", { name: "Done" }).last().click();
  for (const email of [ann, bob]) await expect(rowOf(page, email)).toContainText("Not opened yet");
  await expect(page.getByText("18 more addresses fit in your plan for this link.")).toBeVisible();

  const reader = await openBrowser();
  const links = [];
  for (const email of [ann, bob]) links.push(firstLink(await findMail(reader, email, SENT_YOU)));
  const [annsLink = "", bobsLink = ""] = links;
  for (const link of links) expect(new URL(link).pathname).toBe(`/download/${downloadId}`);
  expect(new URL(annsLink).searchParams.get("for")).not.toBe(new URL(bobsLink).searchParams.get("for"));
  await reader.goto(annsLink);
  await expect(reader.getByRole("heading", { level: 1 })).toContainText("The trip");
  await page.reload();
  await expect(rowOf(page, ann)).toContainText("not downloaded yet");
  const download = reader.waitForEvent("download");
  await reader.getByRole("link", { name: /^Download all \(ZIP, / }).click();
  await (await download).path();
  // The page hears of it by itself.
  await expect(rowOf(page, ann).filter({ hasText: "Mailed" })).toContainText("Downloaded");
  await expect(page.getByRole("list", { name: "Downloads of this link" })).toContainText(ann);
  await expect(rowOf(page, bob)).toContainText("Not opened yet");

  await page.getByRole("button", { name: `More actions for ${bob}` }).click();
  await page.getByRole("menuitem", { name: "Stop mailing them" }).click();
  await expectToast(page, `No more mail to ${bob}`);
  await expect(rowOf(page, bob)).toContainText("No more mail");
  await reader.goto(bobsLink);
  await expect(reader.getByRole("heading", { level: 1 })).toContainText("The trip");
  expect(await reader.content()).not.toContain(sender);
});

test.describe("in another time zone", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("somebody chooses which mails they want, for the account and for a link [NOTE-3]", async ({ page }) => {
    await signUp(page);
    const { uploadId } = await uploadTransferByApi(page.request, TRIP);
    await page.goto("/account");
    await page.getByRole("navigation").getByRole("link", { name: "Emails" }).click();
    await expect(page.getByRole("heading", { name: "Emails", level: 1 })).toBeVisible();
    await expect(page.getByText("The email of the day comes at 08:00 in Asia/Tokyo.")).toBeVisible();
    await expect(page.getByLabel("Each person's first download")).toBeChecked();
    await page.getByLabel("Once a day, all together").click();
    await expect(page.getByLabel("Once a day, all together")).toBeChecked();
    await page.getByLabel("A link ends tomorrow").click();
    await expect(page.getByLabel("A link ends tomorrow")).not.toBeChecked();
    await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
    await expectAccessible(page, "notices");
    await page.reload();
    await expect(page.getByLabel("Once a day, all together")).toBeChecked();
    await expect(page.getByLabel("A link ends tomorrow")).not.toBeChecked();
    await expect(page.getByLabel("An upload has arrived")).toBeChecked();

    await page.goto(`/dashboard/${uploadId}`);
    const choice = page.getByLabel("Mail me about downloads");
    await expect(choice.locator("option:checked")).toHaveText("As for all my links");
    await expect(page.getByText("Now: Once a day, all together")).toBeVisible();
    await choice.selectOption("Every download");
    await expect(page.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
    await expectAccessible(page, "own-file");
    await page.reload();
    await expect(choice.locator("option:checked")).toHaveText("Every download");
  });
});

test("the last line of a mail leads to a page that stops it, and undoes that [NOTE-6]", async ({
  page,
  openBrowser,
}) => {
  const { sender, email, stop, uploadId } = await mailSomebody(page);
  const reader = await openBrowser();
  const response = await reader.goto(stop);
  expect(response?.headers()).toMatchObject({ "x-robots-tag": "noindex", "referrer-policy": "no-referrer" });
  await expect(reader.getByRole("heading", { name: "Stop these emails?" })).toBeVisible();
  await expectAccessible(reader, "unsubscribe");
  await reader.getByRole("button", { name: `No more email from ${sender}` }).click();
  await expect(reader.getByRole("heading", { name: `No more email from ${sender}` })).toBeVisible();
  await expectAccessible(reader, "unsubscribed");
  await page.goto(`/dashboard/${uploadId}`);
  await expect(rowOf(page, email)).toContainText("Wants no mail");
  await mailTo(page, email);
  await expect(page.getByRole("dialog", { name: "Sent to no one" })).toContainText("Wants no mail");
  await page.keyboard.press("Escape");
  await reader.getByRole("button", { name: "Undo" }).click();
  await expect(reader.getByRole("heading", { name: "Stop these emails?" })).toBeVisible();
  await reader.getByRole("button", { name: "No email from Mayfly at all" }).click();
  await expect(reader.getByRole("heading", { name: "No more email from Mayfly" })).toBeVisible();
  await page.reload();
  await expect(rowOf(page, email)).toContainText("Wants no mail");
});

test("a mail program stops the mail with one click, and the page says so [NOTE-6]", async ({
  page,
  openBrowser,
  request,
}) => {
  const { sender, stop } = await mailSomebody(page);
  const headers = { origin: "https://mail.example" };
  const answer = await request.post(stop, { headers, form: { "List-Unsubscribe": "One-Click" } });
  expect(answer.status()).toBe(200);
  const reader = await openBrowser();
  await reader.goto(stop);
  await expect(reader.getByRole("heading", { name: `No more email from ${sender}` })).toBeVisible();
});

test("the page stops mails without scripts, too [NOTE-6]", async ({ page, browser, baseURL }) => {
  const { sender, stop } = await mailSomebody(page);
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const reader = await context.newPage();
  await reader.goto(stop);
  await reader.getByRole("button", { name: `No more email from ${sender}` }).click();
  await expect(reader.getByRole("heading", { name: `No more email from ${sender}` })).toBeVisible();
  await reader.getByRole("button", { name: "Undo" }).click();
  await expect(reader.getByRole("heading", { name: "Stop these emails?" })).toBeVisible();
  await context.close();
});
