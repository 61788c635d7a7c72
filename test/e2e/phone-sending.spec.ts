import { signUp } from "./support/accounts.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { openGuards } from "./support/guarded-links.ts";
import { chooseFiles, chooseFolder, randomFolder } from "./support/many-files.ts";

test("on a phone, Send stays in view below a list that is longer than the screen [UP-31]", async ({ page }) => {
  await signUp(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const names = Array.from({ length: 40 }, (_, n) => `file ${n}.txt`);
  await chooseFolder(page, await randomFolder("Long", Object.fromEntries(names.map((name) => [name, 10]))));
  const send = page.getByRole("button", { name: /^Send 40 files/ });
  const title = page.getByLabel("Title");
  await page.getByRole("heading", { name: /^40 files/ }).scrollIntoViewIfNeeded();
  await expect(title).not.toBeInViewport();
  await expect(send).toBeInViewport({ ratio: 1 });
  await title.scrollIntoViewIfNeeded();
  await expect(send).toBeInViewport({ ratio: 1 });
  // The button belongs to the form above it.
  await title.fill("Norway");
  await title.press("Enter");
  await expect(page.getByText(/^Norway · 40 files/)).toBeVisible();
});

test("the card of a finished upload says when the link ends [UP-32]", async ({ page }) => {
  await signUp(page);
  const end = page.getByText(/^Expires \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/);
  await chooseFile(page, await randomFile("one.txt", 1000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(end).toBeVisible();
  await page.goto("/");
  await chooseFiles(page, [await randomFile("first.txt", 1000), await randomFile("second.txt", 1000)]);
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(end).toBeVisible();
  await page.goto("/");
  await openGuards(page);
  await page.getByRole("switch", { name: "End-to-end encrypted" }).check();
  await chooseFile(page, await randomFile("sealed.txt", 1000));
  await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await expect(end).toBeVisible();
});
