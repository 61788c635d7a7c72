import { openOffice } from "../admin.ts";
import { query } from "../database.ts";
import { expect, test } from "../fixtures.ts";

// On the server whose pages no other test reads.
test("the back office says where there is nothing yet", async ({ page, baseURL }) => {
  for (const table of ["contact_submissions", "seo_content", "page_content"]) {
    await query(`delete from ${table}`, baseURL);
  }
  for (const [tab, words] of [
    ["contact", "No contact form submissions yet."],
    ["seo", 'No SEO content found. Click "Add New SEO Content" to create some.'],
    ["content", "No page content found"],
  ] as const) {
    await openOffice(page, `?tab=${tab}`);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
});
