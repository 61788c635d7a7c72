import { HOSTILE_TEXTS } from "../../support/hostile-html.ts";
import { openAdmin } from "#test/e2e/support/admin.ts";
import { query } from "#test/e2e/support/database.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";

// On the server whose content no other test reads; one after the other, as both change it.
test.describe.configure({ mode: "default" });

test("an edit of a page shows with its date, and nothing in it acts", async ({ page, baseURL, expectErrors }) => {
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
  // Pictures from this site may be shown, also one that is not there.
  expectErrors(/404 .*\/x/);
  await save(`<p>Before</p>${hostile}`);
  await page.reload();
  await expect(page.getByText("Before", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Get in Touch" })).toBeVisible();
  expect(await page.evaluate(() => "acted" in window)).toBe(false);
});

test("the admin area says where there is nothing yet", async ({ page, baseURL }) => {
  for (const [tab, table, words] of [
    ["contact", "contact_submissions", "No contact form submissions yet."],
    ["seo", "seo_content", 'No SEO content found. Click "Add New SEO Content" to create some.'],
    ["content", "page_content", "No page content found"],
  ] as const) {
    // Another test may send a message in between.
    await expect(async () => {
      await query(`delete from ${table}`, baseURL);
      await openAdmin(page, `?tab=${tab}`);
      await expect(page.getByText(words, { exact: true })).toBeVisible({ timeout: 3000 });
    }).toPass();
  }
});
