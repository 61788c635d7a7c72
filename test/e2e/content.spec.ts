import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { waitForScripts } from "./support/waiting.ts";

test("the features page has questions that open, and a link to the upload [NAV-13, PAGE-7, PAGE-9, PAGE-10, PAGE-11, PAGE-12, TRF-28]", async ({
  page,
}) => {
  await page.goto("/features");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const questions = page.getByRole("main").getByRole("group");
  await expect(questions).toHaveCount(10);
  for (const question of await questions.all()) {
    await expect(question.getByRole("paragraph")).toBeHidden();
    await question.locator("summary").click();
    await expect(question.getByRole("paragraph")).toBeVisible();
  }
  const text = await page.getByRole("main").innerText();
  for (const limit of [
    "500 MB",
    "10 GB",
    "50 GB",
    "3 days",
    "60 days",
    "forever",
    "10 GB on Professional",
    "10,000 files",
  ]) {
    expect(text).toContain(limit);
  }
  expect(text).toContain("Do I need an account to upload?");
  expect(text).not.toMatch(/anonymous|\b50 MB|7 days|3 months|1 year/i);
  await page.getByRole("link", { name: "Start Uploading" }).click();
  await expect(page).toHaveURL("/");
});

test("the terms show their text, date and working section links [NAV-22, PAGE-13, PAGE-18, PAGE-20]", async ({
  page,
}) => {
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

test("the privacy policy shows the contact address and its own date [NAV-22, PAGE-13, PAGE-22]", async ({ page }) => {
  await page.goto("/privacy");
  const box = page.getByRole("main").locator("section", { hasText: "Your Privacy Matters" });
  await expect(box.getByRole("link", { name: "hello@example.com" })).toHaveAttribute(
    "href",
    "mailto:hello@example.com",
  );
  await expect(box).toContainText("last updated November 28, 2026");
  await expect(page.getByRole("main")).not.toContainText(/May 1, 2025|\{/);
});

test("the about page shows four values and a contact link [NAV-22, PAGE-24, PAGE-25]", async ({ page }) => {
  await page.goto("/about");
  const values = page.getByRole("main").getByRole("listitem").getByRole("heading");
  await expect(values).toHaveText(["Simplicity", "Privacy", "Performance", "Community"]);
  await page.getByRole("main").getByRole("link", { name: "Contact us" }).click();
  await expect(page).toHaveURL("/contact");
});

/** Client-side navigations to the content pages. */
const NAVIGATIONS: {
  path: string;
  title: string;
  alert: string;
  startPath: string;
  linkAway?: string;
  navigate(page: Page): Promise<unknown>;
}[] = [
  {
    path: "/terms",
    title: "Terms of Service",
    alert: "The Terms of Service could not be loaded. Please try refreshing the page.",
    startPath: "/terms",
    linkAway: "Contact Information",
    navigate: (page) => page.goBack(),
  },
  {
    path: "/privacy",
    title: "Privacy Policy",
    alert: "The Privacy Policy could not be loaded. Please try refreshing the page.",
    startPath: "/terms",
    navigate: (page) => page.getByRole("main").getByRole("link", { name: "Privacy Policy" }).click(),
  },
  {
    path: "/about",
    title: "About",
    alert: "The About page could not be loaded. Please try refreshing the page.",
    startPath: "/about",
    linkAway: "Contact us",
    navigate: (page) => page.goBack(),
  },
];

for (const { path, title, alert, startPath, linkAway, navigate } of NAVIGATIONS) {
  test(`${title}: a skeleton shows while the text loads, and an alert if it fails [PAGE-16, PAGE-19, PAGE-21, PAGE-23]`, async ({
    page,
    expectErrors,
  }) => {
    await page.goto(startPath);
    if (linkAway !== undefined) {
      await page.getByRole("main").getByRole("link", { name: linkAway }).click();
      await expect(page).toHaveURL("/contact");
    }
    const data = `**${path}.data*`;
    let resume = () => {};
    const paused = new Promise<void>((resolve) => (resume = resolve));
    await page.route(data, async (route) => {
      await paused;
      await route.abort();
    });
    await navigate(page);
    await expect(page.getByRole("status", { name: "Loading" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    expectErrors(/ERR_FAILED|Failed to fetch/);
    resume();
    await expect(page.getByRole("alert")).toHaveText(alert);
    await page.unroute(data);
    // A reload would stop an upload.
    await page.evaluate(() => Object.assign(window, { isFirst: true }));
    await page.getByRole("button", { name: "Refresh the page" }).click();
    await expect(page.getByText(/^Last updated/)).toBeVisible();
    await expect(page.getByRole("alert")).toBeHidden();
    expect(await page.evaluate(() => "isFirst" in window)).toBe(true);
  });
}

test("an unknown URL shows a 404 page with the URL and links [ERR-84, PAGE-26, PAGE-27] @everyday", async ({
  page,
  expectErrors,
  baseURL,
}) => {
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

test("Go Back on a 404 page in a new tab opens the home page [PAGE-27]", async ({ page, expectErrors }) => {
  expectErrors(/404/);
  await page.goto("/contact");
  const popup = page.waitForEvent("popup");
  await page.evaluate(() => window.open("/no/such/page"));
  const tab = await popup;
  await tab.waitForLoadState();
  await waitForScripts(tab);
  expect(await tab.evaluate(() => window.history.length)).toBe(1);
  await tab.getByRole("button", { name: "Go Back" }).click();
  await expect(tab).toHaveURL("/");
});
