import type { Page } from "@playwright/test";
import { signUp, signUpWithClipboard } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards } from "./support/guarded-links.ts";

const TEXT = "Meet at the pier.\n\nMap: https://example.com/map?at=pier.\n";

async function paste(page: Page, text: string): Promise<void> {
  await page.locator("body").evaluate((body, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
}

async function shareUrl(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  return page.getByLabel("Share link").inputValue();
}

const shown = (page: Page) => page.getByRole("region", { name: "Preview" }).locator("pre");

test("a pasted text becomes a link, whose page shows it at once and copies it [TEXT-1, TEXT-2, TEXT-3, TEXT-4] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUpWithClipboard(page);
  await paste(page, TEXT);
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue(TEXT);
  await expectAccessible(page, "text-card");
  await page.getByRole("button", { name: "Send text" }).click();
  const link = await shareUrl(page);
  await expect(page.getByText(/^note\.txt · /)).toBeVisible();

  const stranger = await openBrowser();
  await stranger.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const requests: string[] = [];
  stranger.on("request", (request) => requests.push(request.url()));
  await stranger.goto(link);
  await expect(shown(stranger)).toHaveText(TEXT, { useInnerText: false });
  await expect(shown(stranger)).not.toHaveCSS("font-family", /mono/);
  const address = shown(stranger).getByRole("link");
  await expect(address).toHaveText("https://example.com/map?at=pier");
  await expect(address).toHaveAttribute("rel", "noopener noreferrer nofollow");
  await expect(address).toHaveAttribute("target", "_blank");
  await expectAccessible(stranger, "text-page");
  await stranger.getByRole("button", { name: "Copy text" }).click();
  await expect(stranger.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await stranger.evaluate(() => navigator.clipboard.readText())).toBe(TEXT);
  // Nothing is asked of the address in the text. The fixture also fails on a request to another host.
  await address.hover();
  expect(requests.filter((url) => url.includes("example.com"))).toEqual([]);

  const raw = await stranger.request.get(`/api/files/download/${link.split("/").at(-1) ?? ""}/content`);
  expect([raw.headers()["content-type"], await raw.text()]).toEqual(["text/plain; charset=utf-8", TEXT]);
});

test("code keeps its columns, and has the name that its sender chose [TEXT-1, TEXT-3]", async ({ page }) => {
  await signUp(page);
  await page.getByRole("button", { name: "Write a text" }).click();
  await expect(page.getByLabel("Text", { exact: true })).toBeFocused();
  await expect(page.getByRole("button", { name: "Send text" })).toBeDisabled();
  await page.getByLabel("Text", { exact: true }).fill("if x:\n    y()\n");
  await page.getByLabel("Kind").selectOption("Code");
  await page.getByLabel("Name", { exact: true }).fill("main.py");
  await page.getByRole("button", { name: "Send text" }).click();
  await page.goto(await shareUrl(page));
  await expect(page.getByRole("heading", { level: 1, name: "main.py" })).toBeVisible();
  await expect(shown(page)).toHaveText("if x:\n    y()\n", { useInnerText: false });
  await expect(shown(page)).toHaveCSS("font-family", /mono/);
});

test("a text that can be opened once is shown after a press, and to nobody else [TEXT-5]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  await page.getByRole("button", { name: "Write a text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("the password is swordfish");
  await page.getByLabel("Can be opened once").check();
  await page.getByRole("button", { name: "Send text" }).click();
  const link = await shareUrl(page);

  const stranger = await openBrowser();
  await stranger.goto(link);
  await expect(stranger.getByText("It can be opened once.")).toBeVisible();
  await expect(shown(stranger)).toHaveCount(0);
  const used = async () => {
    const [row] = await query(
      `select downloads_used as n from files where download_id = '${link.split("/").at(-1) ?? ""}'`,
    );
    return Number(row?.n);
  };
  expect(await used()).toBe(0);
  await stranger.getByRole("button", { name: "Show the text" }).click();
  await expect(shown(stranger)).toHaveText("the password is swordfish");
  await expect.poll(used).toBe(1);

  expectErrors(/410|403/);
  const late = await openBrowser();
  await late.goto(link);
  await expect(late.getByText("swordfish")).toHaveCount(0);
  await expect(late.getByRole("button", { name: "Show the text" })).toHaveCount(0);
});

test("an encrypted text is shown at once, and the server never sees it [TEXT-6]", async ({ page, openBrowser }) => {
  await signUp(page);
  const bodies: string[] = [];
  page.on("request", (request) => bodies.push(request.postDataBuffer()?.toString("latin1") ?? ""));
  await openGuards(page);
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  await page.getByRole("button", { name: "Write a text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("only for your eyes");
  await page.getByRole("button", { name: "Send text" }).click();
  const link = await shareUrl(page);
  expect(bodies.filter((body) => body.includes("only for your eyes"))).toEqual([]);
  const stranger = await openBrowser();
  await stranger.goto(link);
  await expect(shown(stranger)).toHaveText("only for your eyes");
});

test("a text goes beside files, from the card and from the list [TEXT-7]", async ({ page }) => {
  await signUp(page);
  await page.getByRole("button", { name: "Write a text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("first");
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("Choose a file")).toBeVisible();
  await page.getByRole("button", { name: "Write a text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("read me first");
  await page.getByRole("button", { name: "Add files" }).click();
  const tree = page.getByRole("treegrid", { name: "Files to send" });
  await expect(tree).toContainText("note.txt");
  await page.getByRole("button", { name: "Add a text" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Text", { exact: true }).fill("read me last");
  await dialog.getByLabel("Name", { exact: true }).fill("last");
  await dialog.getByRole("button", { name: "Add a text" }).click();
  await expect(tree).toContainText("last.txt");
  await page.getByLabel("Add files", { exact: true }).setInputFiles(await randomFile("photo.bin", 100));
  await expect(tree).toContainText("photo.bin");
  await page.getByRole("button", { name: /^Send 3 files/ }).click();
  await page.goto(await shareUrl(page));
  const files = page.getByRole("treegrid");
  for (const name of ["note.txt", "last.txt", "photo.bin"]) await expect(files).toContainText(name);
});

test("a text over 1 MB is refused in the card, and a chosen text file has a preview button as before [TEXT-1, TEXT-2]", async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole("button", { name: "Write a text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("a".repeat(1_048_577));
  await expect(page.getByText("A text has at most 1 MB. Send a longer one as a file.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send text" })).toBeDisabled();
  await page.getByRole("button", { name: "Back" }).click();
  await chooseFile(page, await randomFile("chosen.txt", 10));
  await page.goto(await shareUrl(page));
  await expect(page.getByRole("button", { name: "Preview" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Preview" })).toHaveCount(0);
});
