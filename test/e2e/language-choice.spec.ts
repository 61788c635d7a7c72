import type { Page, Request } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";

const LANGUAGES = { en: "Language", de: "Sprache" } as const;
type Language = keyof typeof LANGUAGES;

/** The arrow that leads to a language's entry: English stands first. */
const ARROWS = { en: "ArrowUp", de: "ArrowDown" } as const;

function languageBox(page: Page) {
  return page.getByRole("combobox", { name: /^(Language|Sprache)$/ });
}

/** Holds each answer to a question for the page's words until `release`. */
async function holdWords(page: Page): Promise<{ asked: Request[]; release: () => void }> {
  const asked: Request[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.data*", async (route) => {
    asked.push(route.request());
    await held;
    // The page may have given up this question meanwhile.
    await route.continue().catch(() => undefined);
  });
  return { asked, release };
}

async function expectLanguage(page: Page, language: Language): Promise<void> {
  await expect(page.getByLabel(LANGUAGES[language])).toHaveValue(language);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "locale");
  expect(cookie?.value).toBe(language);
}

for (const choices of [["de"], ["de", "en"], ["de", "en", "de"], ["de", "en", "de", "en"]] as const) {
  test(`the last language wins while the answers to earlier choices are held: ${choices.join(", ")}`, async ({
    page,
  }) => {
    await page.goto("/features");
    const words = await holdWords(page);
    await languageBox(page).focus();
    for (const [index, language] of choices.entries()) {
      await page.keyboard.press(ARROWS[language]);
      await expect.poll(() => words.asked.length).toBe(index + 1);
      await expect(languageBox(page)).toHaveValue(language);
    }
    const last = words.asked.at(-1);
    words.release();
    await last?.response();
    const [language] = choices.slice(-1);
    await expectLanguage(page, language ?? "en");
    await page.reload();
    await expectLanguage(page, language ?? "en");
  });
}

test("the last language wins where an answer in the old language comes after the choice", async ({ page }) => {
  await page.goto("/features");
  // As if the browser had sent the request before it had the new cookie.
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

test("a browser that keeps no cookies goes on in the language that it asks for", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => undefined });
  });
  await page.goto("/features");
  const answered = page.waitForResponse("**/*.data*");
  await languageBox(page).selectOption("de");
  await answered;
  await expect(languageBox(page)).toHaveValue("en");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});
