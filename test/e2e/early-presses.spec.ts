import type { Page } from "@playwright/test";
import { signUpByApi } from "./support/accounts.ts";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { pauseClock } from "./support/plans.ts";

/** Opens the page as a slow line shows it: complete, but without its scripts. @returns lets them come */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let resume = () => {};
  const paused = new Promise<void>((resolve) => (resume = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await paused;
    await route.continue();
  });
  // `page.goto` waits for the scripts.
  await page.evaluate((address) => {
    location.assign(address);
  }, new URL(path, test.info().project.use.baseURL).href);
  await expect(page.getByRole("contentinfo")).toBeVisible();
  return resume;
}

test("what a visitor presses before the scripts have come is done when they come, once [NAV-28] @everyday", async ({
  page,
}) => {
  const resume = await openWithoutScripts(page, "/");
  const logIn = page.getByRole("banner").getByRole("button", { name: "Log In" });
  await logIn.click();
  await logIn.click();
  await expect(logIn).toHaveClass(/\bbusy\b/);
  await page.getByRole("radio", { name: "Dark" }).check({ force: true });
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("combobox", { name: "Link expires after" }).selectOption("1d");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  resume();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(logIn).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.locator(".busy")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("radio", { name: "Dunkle Darstellung" })).toBeChecked();
  await expect(page.getByRole("combobox", { name: "Link gültig für" })).toHaveValue("1d");
});

test("the menu of a phone opens by a press before the scripts have come [NAV-28]", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const resume = await openWithoutScripts(page, "/pricing");
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await expect(menu).toHaveClass(/\bbusy\b/);
  resume();
  await expect(menu).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("button", { name: "Sign Up" })).toBeVisible();
});

test("a press while the page comes to life counts once [NAV-28]", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // What was recorded is replayed by a timer.
  await pauseClock(page);
  await page.goto("/pricing");
  const menu = page.getByRole("button", { name: "Menu" });
  const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith("__reactProps"));
  await expect.poll(() => menu.evaluate(isHydrated)).toBe(true);
  await menu.click();
  await expect(menu).toHaveAttribute("aria-expanded", "true");
  await page.clock.runFor(1000);
  await expect(menu).toHaveAttribute("aria-expanded", "true");
});

test("a file is sent that was chosen before the scripts have come [NAV-28]", async ({ page }) => {
  await signUpByApi(page);
  const resume = await openWithoutScripts(page, "/");
  await page.getByLabel("Choose a file").setInputFiles(await randomFile("hurry.bin", 5));
  await expect(page.locator("label.busy")).toBeVisible();
  resume();
  await expect(page.getByText(/^hurry\.bin · 5/)).toBeVisible();
});

test("files are sent that were dropped before the scripts have come [NAV-28]", async ({ page }) => {
  await signUpByApi(page);
  const resume = await openWithoutScripts(page, "/");
  const isTaken = await page
    .locator("label:has(input[type=file])")
    .first()
    .evaluate((field) => {
      const dataTransfer = new DataTransfer();
      for (const name of ["one.txt", "two.txt"]) dataTransfer.items.add(new File([name], name));
      // Whoever does not take a drop gets the file instead of the page.
      return ["dragover", "drop"].map(
        (type) => !field.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
      );
    });
  expect(isTaken).toEqual([true, true]);
  resume();
  await expect(page.getByText("one.txt and two.txt · 2 files, 14 Bytes")).toBeVisible();
});

test("what is typed before the scripts have come is searched for [NAV-28]", async ({ page }) => {
  await signUpByApi(page);
  const resume = await openWithoutScripts(page, "/dashboard?q=a");
  const search = page.getByRole("searchbox");
  await search.fill("holiday");
  resume();
  await expect(page).toHaveURL(/[?&]q=holiday\b/);
  await expect(search).toHaveValue("holiday");
});

test("a form is sent that was sent before the scripts have come [NAV-28]", async ({ page }) => {
  const resume = await openWithoutScripts(page, "/contact");
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Subject").fill("A question");
  await page.getByLabel("Message").fill("A message of some length.");
  await page.getByRole("button", { name: "Send message" }).click();
  resume();
  await expect(page.getByText("Message Sent", { exact: true })).toBeVisible();
  await expect(page).toHaveURL("/contact");
});
