import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { waitForScripts } from "./support/waiting.ts";

test("the features page: seven cards, five questions, and the way to the first upload", async ({ page }) => {
  await page.goto("/features");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const cards = page.getByRole("main").getByRole("list").first().getByRole("listitem");
  await expect(cards.getByRole("heading")).toHaveText([
    "Drag-and-drop upload",
    "Encrypted transfer and storage",
    "Instant shareable links",
    "Custom expiry",
    "Access from any device",
    "Chunked uploads for very large files",
    "In-browser preview",
  ]);
  const questions = page.getByRole("main").getByRole("group");
  await expect(questions).toHaveCount(5);
  for (const question of await questions.all()) {
    await expect(question.getByRole("paragraph")).toBeHidden();
    await question.locator("summary").click();
    await expect(question.getByRole("paragraph")).toBeVisible();
  }
  const text = await page.getByRole("main").innerText();
  for (const fact of ["500 MB", "10 GB", "50 GB", "3 days", "60 days", "forever", "10 GB on Professional"]) {
    expect(text).toContain(fact);
  }
  expect(text).toContain("Do I need an account to upload?");
  expect(text).not.toMatch(/anonymous|\b50 MB|7 days|3 months|1 year/i);
  await page.getByRole("link", { name: "Start Uploading" }).click();
  await expect(page).toHaveURL("/");
});

test("the terms: text, date, and important sections that lead where they say", async ({ page }) => {
  await page.goto("/terms");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terms of Service");
  await expect(page.getByText("Last updated November 21, 2026")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Important Sections" })).toBeVisible();
  await page.getByRole("link", { name: "Account Guidelines" }).click();
  await expect(page).toHaveURL("/terms#account-guidelines");
  await expect(page.getByRole("heading", { name: "Account guidelines" })).toBeInViewport();
  await page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  await expect(page).toHaveTitle(/^Privacy Policy/);
  await page.goBack();
  await page.getByRole("main").getByRole("link", { name: "Contact Information" }).click();
  await expect(page).toHaveURL("/contact");
});

test("the privacy policy: whom to write to, and the record's own date", async ({ page }) => {
  await page.goto("/privacy");
  const box = page.getByRole("main").locator("section", { hasText: "Your Privacy Matters" });
  await expect(box.getByRole("link", { name: "hello@example.com" })).toHaveAttribute(
    "href",
    "mailto:hello@example.com",
  );
  await expect(box).toContainText("last updated November 21, 2026");
  await expect(page.getByRole("main")).not.toContainText(/May 1, 2025|\{/);
});

test("about: four values and the way to get in touch", async ({ page }) => {
  await page.goto("/about");
  const values = page.getByRole("main").getByRole("listitem").getByRole("heading");
  await expect(values).toHaveText(["Simplicity", "Privacy", "Performance", "Community"]);
  await page.getByRole("main").getByRole("link", { name: "Contact us" }).click();
  await expect(page).toHaveURL("/contact");
});

/** Ways to come to a content page without a new document. */
const ARRIVALS: {
  path: string;
  title: string;
  alert: string;
  begin: string;
  leave?: string;
  arrive(page: Page): Promise<unknown>;
}[] = [
  {
    path: "/terms",
    title: "Terms of Service",
    alert: "The Terms of Service could not be loaded. Please try refreshing the page.",
    begin: "/terms",
    leave: "Contact Information",
    arrive: (page) => page.goBack(),
  },
  {
    path: "/privacy",
    title: "Privacy Policy",
    alert: "The Privacy Policy could not be loaded. Please try refreshing the page.",
    begin: "/terms",
    arrive: (page) => page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click(),
  },
  {
    path: "/about",
    title: "About",
    alert: "The About page could not be loaded. Please try refreshing the page.",
    begin: "/about",
    leave: "Contact us",
    arrive: (page) => page.goBack(),
  },
];

for (const { path, title, alert, begin, leave, arrive } of ARRIVALS) {
  test(`${title}: a skeleton while its text is on its way, an alert when it does not come`, async ({
    page,
    expectErrors,
  }) => {
    await page.goto(begin);
    if (leave !== undefined) {
      await page.getByRole("main").getByRole("link", { name: leave }).click();
      await expect(page).toHaveURL("/contact");
    }
    const data = `**${path}.data*`;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(data, async (route) => {
      await held;
      await route.abort();
    });
    await arrive(page);
    await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    expectErrors(/ERR_FAILED|Failed to fetch/);
    answer();
    await expect(page.getByRole("alert")).toHaveText(alert);
    await page.unroute(data);
    // An upload would end with the document.
    await page.evaluate(() => Object.assign(window, { isFirst: true }));
    await page.getByRole("button", { name: "Refresh the page" }).click();
    await expect(page.getByText(/^Last updated/)).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
    expect(await page.evaluate(() => "isFirst" in window)).toBe(true);
  });
}

test("an address where nothing is: it is shown, with ways back and on", async ({ page, expectErrors, baseURL }) => {
  expectErrors(/404/);
  await page.goto("/contact");
  await page.goto("/no/such/page?and=more");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
  await expect(page.getByText(`${baseURL ?? ""}/no/such/page?and=more`, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Go Back" }).click();
  await expect(page).toHaveURL("/contact");
  await page.goto("/no/such/page");
  const main = page.getByRole("main");
  for (const [name, path] of [
    ["Features", "/features"],
    ["Pricing", "/pricing"],
    ["Contact", "/contact"],
  ] as const) {
    await expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", path);
  }
  await main.getByRole("link", { name: "Go Home" }).click();
  await expect(page).toHaveURL("/");
});

test("an unknown address opened in a tab of its own: Go Back leads home", async ({ page, expectErrors }) => {
  expectErrors(/404/);
  await page.goto("/contact");
  const opened = page.waitForEvent("popup");
  await page.evaluate(() => window.open("/no/such/page"));
  const tab = await opened;
  await tab.waitForLoadState();
  await waitForScripts(tab);
  expect(await tab.evaluate(() => window.history.length)).toBe(1);
  await tab.getByRole("button", { name: "Go Back" }).click();
  await expect(tab).toHaveURL("/");
});
