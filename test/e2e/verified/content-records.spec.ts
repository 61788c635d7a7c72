import { HOSTILE_TEXTS } from "../../support/hostile-html.ts";
import { openAdmin } from "#test/e2e/support/admin.ts";
import { query } from "#test/e2e/support/database.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";

// Serial, and on a server of their own: both tests change the content.
test.describe.configure({ mode: "default" });

test("an edited page shows its text and date, and runs none of its scripts [PAGE-13, PAGE-14, PAGE-15, PAGE-18] @everyday", async ({
  page,
  baseURL,
  expectErrors,
}) => {
  const hostile = HOSTILE_TEXTS.join("\n").replaceAll("alert(1)", "window.acted=true");
  const save = (content: string) =>
    query(
      `update page_content set content = '${content.replaceAll("'", "''")}', updated_at = ${Date.UTC(2027, 1, 3)} where slug = 'about'`,
      baseURL,
    );
  await save("First line\nsecond line.\n\nAnother paragraph.");
  await page.goto("/about");
  await expect(page.locator(".prose p")).toHaveText(["First line\nsecond line.", "Another paragraph."], {
    useInnerText: true,
  });
  await expect(page.getByText("Last updated February 3, 2027")).toBeVisible();
  // Images of this site are allowed; this one does not exist.
  expectErrors(/404 .*\/x/);
  await save(`<p>Before</p>${hostile}`);
  await page.reload();
  await expect(page.getByText("Before", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Get in Touch" })).toBeVisible();
  expect(await page.evaluate(() => "acted" in window)).toBe(false);
});

test("the admin area shows a notice for empty lists [ADM-22, ADM-24, ADM-26]", async ({ page, baseURL }) => {
  for (const [tab, table, notice] of [
    ["contact", "contact_submissions", "No contact form submissions yet."],
    ["seo", "seo_content", 'No SEO content found. Click "Add New SEO Content" to create some.'],
    ["content", "page_content", "No page content found"],
  ] as const) {
    // Another test may send a message in between.
    await expect(async () => {
      await query(`delete from ${table}`, baseURL);
      await openAdmin(page, `?tab=${tab}`);
      await expect(page.getByText(notice, { exact: true })).toBeVisible({ timeout: 3000 });
    }).toPass();
  }
});
