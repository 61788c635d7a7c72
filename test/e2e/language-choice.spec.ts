import type { Page, Request } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";

const LANGUAGES = { en: "Language", de: "Sprache" } as const;
type Language = keyof typeof LANGUAGES;

/** The key that selects the language: English is the first option. */
const ARROWS = { en: "ArrowUp", de: "ArrowDown" } as const;

function languageBox(page: Page) {
  return page.getByRole("combobox", { name: /^(Language|Sprache)$/ });
}

/** Delays every answer of a loader until `release`. */
async function delayLoaders(page: Page): Promise<{ requests: Request[]; release: () => void }> {
  const requests: Request[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.data*", async (route) => {
    requests.push(route.request());
    await released;
    // Fails if the page has aborted the request.
    await route.continue().catch(() => undefined);
  });
  return { requests, release };
}

async function expectLanguage(page: Page, language: Language): Promise<void> {
  await expect(page.getByLabel(LANGUAGES[language])).toHaveValue(language);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "locale");
  expect(cookie?.value).toBe(language);
}

for (const choices of [["de"], ["de", "en"], ["de", "en", "de"], ["de", "en", "de", "en"]] as const) {
  test(`the last chosen language wins while earlier answers are delayed: ${choices.join(", ")}`, async ({ page }) => {
    await page.goto("/features");
    const loaders = await delayLoaders(page);
    await languageBox(page).focus();
    for (const [index, language] of choices.entries()) {
      await page.keyboard.press(ARROWS[language]);
      await expect.poll(() => loaders.requests.length).toBe(index + 1);
      await expect(languageBox(page)).toHaveValue(language);
    }
    const last = loaders.requests.at(-1);
    loaders.release();
    await last?.response();
    const [language] = choices.slice(-1);
    await expectLanguage(page, language ?? "en");
    await page.reload();
    await expectLanguage(page, language ?? "en");
  });
}

test("the chosen language wins over a late answer in the old language", async ({ page }) => {
  await page.goto("/features");
  // Simulates a request sent before the new cookie was set.
  const staleAnswers: number[] = [];
  await page.route(
    "**/*.data*",
    async (route) => {
      const stale = await fetch(route.request().url(), { headers: { cookie: "locale=en" } });
      staleAnswers.push(stale.status);
      await route.fulfill({
        status: stale.status,
        headers: Object.fromEntries(stale.headers),
        body: await stale.text(),
      });
    },
    { times: 1 },
  );
  await languageBox(page).selectOption("de");
  await expectLanguage(page, "de");
  expect(staleAnswers).toEqual([200]);
});

test("without cookies, the page keeps the browser's language", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => undefined });
  });
  await page.goto("/features");
  const reloaded = page.waitForResponse("**/*.data*");
  await languageBox(page).selectOption("de");
  await reloaded;
  await expect(languageBox(page)).toHaveValue("en");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});
