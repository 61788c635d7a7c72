import { columnNames, expectToast, openAdmin, tableRow } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";

const uniqueName = (word: string) => `${word}-${process.pid}-${Date.now()}`;

test("an administrator creates, edits and deletes an SEO record; blank fields are stored as null, and errors are shown [ADM-23, ERR-62, VAL-24]", async ({
  page,
  expectErrors,
}) => {
  const path = `/${uniqueName("seo")}`;
  await openAdmin(page, "?tab=seo");
  expect(await columnNames(page, "SEO content")).toEqual(["ID", "Page", "Title", "Last Updated", "Actions"]);
  await page.getByRole("link", { name: "Add New SEO Content" }).click();
  await page.getByRole("button", { name: "Create" }).click();
  for (const [label, words] of [
    ["Page path", /Page path must begin with \//],
    ["Title", /Title is required/],
    ["Description", /Description is required/],
    ["Keywords", /Keywords are required/],
  ] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(words);
  }
  await page.getByLabel("Page path").fill("/about");
  await page.getByLabel("Title", { exact: true }).fill("A title");
  await page.getByLabel("Description", { exact: true }).fill("What it is about");
  await page.getByLabel("Keywords").fill("one, two");
  await page.getByLabel("Structured data (optional)").fill("{");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByLabel("Structured data (optional)")).toHaveAccessibleDescription(/valid JSON/);
  await page.getByLabel("Structured data (optional)").fill('{"@type":"WebPage"}');
  expectErrors(/409|500/);
  await page.getByRole("button", { name: "Create" }).click();
  await expectToast(page, "Creation failed", "This page already has SEO content.");
  await page.getByLabel("Page path").fill(path);
  await page.getByRole("button", { name: "Create" }).click();
  await expectToast(page, "SEO content created");
  expect(await query(`select keywords, og_title, canonical_url from seo_content where page = '${path}'`)).toEqual([
    { keywords: "one, two", og_title: null, canonical_url: null },
  ]);

  await page.getByRole("link", { name: `Edit ${path}` }).click();
  await page.getByLabel("Open Graph title (optional)").fill("For chats");
  await page.route("**/api/seo/*", (route) => route.fulfill({ status: 500, body: "" }));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Update failed", "There was a problem updating the SEO content");
  await page.unroute("**/api/seo/*");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "SEO content updated");
  expect(await query(`select og_title from seo_content where page = '${path}'`)).toEqual([{ og_title: "For chats" }]);

  await page.route("**/api/seo/*", (route) => route.fulfill({ status: 500, body: "" }));
  await tableRow(page, path).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete SEO content" }).click();
  await expectToast(page, "Deletion failed", "There was a problem deleting the SEO content");
  await page.unroute("**/api/seo/*");
  await page.getByRole("button", { name: "Delete SEO content" }).click();
  await expectToast(page, "SEO content deleted");
  await expect(tableRow(page, path)).toHaveCount(0);
});

test("an administrator creates a page with a live preview, edits it and deletes it [ADM-25, ERR-63, VAL-25]", async ({
  page,
  expectErrors,
}) => {
  const slug = uniqueName("page");
  await openAdmin(page, "?tab=content");
  expect(await columnNames(page, "Page content")).toEqual(["ID", "Title", "Slug", "Last Updated", "Actions"]);
  await page.getByRole("link", { name: "Add New Page" }).click();
  const create = page.getByRole("button", { name: "Create" });
  await expect(create).toBeDisabled();
  await page.getByRole("textbox", { name: "Content" }).fill("  \n ");
  await expect(create).toBeDisabled();

  await page.getByRole("textbox", { name: "Content" }).fill("## Hello\n\nSome **bold** words of {product}.");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("heading", { name: "Hello" })).toBeVisible();
  await expect(preview.locator("strong")).toHaveText("bold");
  await page
    .getByRole("textbox", { name: "Content" })
    .fill('<p onclick="alert(1)">Safe</p><script>document.title = "hit"</script>');
  await expect(preview.getByText("Safe", { exact: true })).toBeVisible();
  expect(await preview.innerHTML()).not.toMatch(/onclick|script/);

  await create.click();
  await expect(page.getByLabel("Title")).toHaveAccessibleDescription("Title is required");
  await expect(page.getByLabel("Slug")).toHaveAccessibleDescription(/Slug must consist of/);
  await page.getByLabel("Title").fill("A new page");
  await page.getByLabel("Slug").fill("terms");
  expectErrors(/409|500/);
  await create.click();
  await expectToast(page, "Creation failed", "A page with this slug already exists.");
  await page.getByLabel("Slug").fill(slug);
  const sent = page.waitForRequest("**/api/content");
  await create.click();
  expect((await sent).postDataJSON()).toMatchObject({ slug, title: "A new page", lastUpdatedBy: "admin" });
  await expectToast(page, "Page created");

  await tableRow(page, slug).getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Slug")).toHaveValue(slug);
  await page.getByLabel("Title").fill("A better page");
  await page.route("**/api/content/*-*", (route) => route.fulfill({ status: 500, body: "" }));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Update failed", "There was a problem updating the page");
  await page.unroute("**/api/content/*-*");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Page updated");
  await expect(tableRow(page, slug)).toContainText("A better page");

  await page.route("**/api/content/*-*", (route) => route.fulfill({ status: 500, body: "" }));
  await tableRow(page, slug).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete page" }).click();
  await expectToast(page, "Deletion failed", "There was a problem deleting the page");
  await page.unroute("**/api/content/*-*");
  await page.getByRole("button", { name: "Delete page" }).click();
  await expectToast(page, "Page deleted");
  await expect(tableRow(page, slug)).toHaveCount(0);
});
