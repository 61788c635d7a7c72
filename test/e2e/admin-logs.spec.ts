import { insertFile, expectToast, createUser, openAdmin, tableRow, tab } from "./support/admin.ts";
import { chooseFile, randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFolder, randomFolder } from "./support/many-files.ts";
import { query } from "./support/database.ts";
import { signUp } from "./support/accounts.ts";

test("the overview shows totals, and charts with the same values in tables; no other tab loads the chart library @everyday", async ({
  page,
  request,
}) => {
  const { id } = await createUser(request);
  await insertFile({ userId: id, filename: "counted.txt" });
  await request.get("/cdn-cgi/handler/scheduled");
  const scripts: string[] = [];
  page.on("request", (sent) => {
    if (/\/chart-[\w-]{8}\.js/.test(sent.url())) scripts.push(sent.url());
  });
  await openAdmin(page);
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  expect(scripts).toEqual([]);
  await tab(page, "Overview").click();
  for (const title of [
    "Uploads per day",
    "Bytes uploaded per day",
    "Uploads that failed or were rejected",
    "Downloads per day",
    "Bytes stored, by plan",
  ]) {
    const chart = page.getByRole("figure", { name: title });
    await expect(chart.locator("svg")).toBeVisible();
    await expect(chart.getByRole("row")).toHaveCount(31);
  }
  expect(new Set(scripts).size).toBe(1);
  const stored = page.getByRole("figure", { name: "Bytes stored, by plan" });
  await expect(stored.getByRole("columnheader")).toHaveText(["Day", "Free", "Professional", "Ultimate"]);
  await expect(stored.getByRole("row").last()).toContainText(/Bytes|KB|MB|GB/);
  await page.getByLabel("Time span").selectOption("The last 7 days");
  await expect(page).toHaveURL(/days=7/);
  await expect(page.getByRole("figure", { name: "Uploads per day" }).getByRole("row")).toHaveCount(8);
  await expect(page.getByRole("table", { name: "Storage by plan" }).getByRole("row")).toHaveCount(4);
});

test("the upload log shows user, file and outcome, with filters in the URL", async ({ page, openBrowser }) => {
  const person = await openBrowser();
  const email = await signUp(person);
  const name = `logged-${Date.now()}.bin`;
  await chooseFile(person, await randomFile(name, 100));
  await expect(person.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  const [user] = await query(`select id from users where email = '${email}'`);
  const id = String(user?.id);
  await openAdmin(page);
  await tab(page, "Uploads").click();
  await page.getByLabel("User ID").fill(id);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`userId=${id}`));
  await expect(tableRow(page, name).filter({ hasText: "Started" })).toContainText("100 Bytes");
  const succeeded = tableRow(page, name).filter({ hasText: "Succeeded" });
  await expect(succeeded).toContainText("100 Bytes");
  await expect(succeeded).toContainText("straight to storage");
  await page.getByLabel("Outcome").selectOption("Failed");
  await expect(page.getByText("No uploads match these filters.")).toBeVisible();
  await page.getByLabel("Outcome").selectOption("All outcomes");
  await page.getByLabel("To (UTC)").fill("2020-01-01");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/to=2020-01-01/);
  await expect(page.getByText("No uploads match these filters.")).toBeVisible();
  await openAdmin(page, `?${new URLSearchParams({ tab: "uploads", userId: id, page: "9" })}`);
  await expect(page.getByText("The list ends at page 1.")).toBeVisible();
});

test("the upload log says how a transfer and an upload in chunks went", async ({ page, openBrowser }) => {
  const person = await openBrowser();
  const email = await signUp(person);
  await chooseFolder(person, await randomFolder("Trip", { "a.txt": 10, "b.txt": 20 }));
  await person.getByRole("button", { name: "Send 2 files" }).click();
  await expect(person.getByRole("heading", { name: "Ready to share" })).toBeVisible();
  await person.goto("/chunked-upload");
  await chooseFile(person, await randomFile("in-chunks.bin", 100));
  await expect(person.getByRole("heading", { name: "Upload Successful!" })).toBeVisible();
  const [user] = await query(`select id from users where email = '${email}'`);
  await openAdmin(page, `?${new URLSearchParams({ tab: "uploads", userId: String(user?.id) })}`);
  const ended = (name: string) => tableRow(page, name).filter({ hasText: "Succeeded" });
  await expect(ended("Trip")).toContainText("straight to storage");
  await expect(ended("in-chunks.bin")).toContainText("in chunks through our server");
});

test("the audit log shows who changed what and when", async ({ page, request }) => {
  const { id } = await createUser(request);
  await openAdmin(page, `?${new URLSearchParams({ tab: "users", q: id })}`);
  await tableRow(page, id).getByRole("button", { name: "Edit Plan" }).click();
  await page.getByRole("dialog").getByLabel("Ultimate").check();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Plan updated");
  await tab(page, "Audit").click();
  await page.getByLabel("ID of the changed record").fill(id);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(tableRow(page, id)).toContainText("admin");
  await expect(tableRow(page, id)).toContainText("user.plan");
  await expect(tableRow(page, id)).toContainText("Free → Ultimate");
  await page.getByLabel("Action").selectOption("user.email");
  await expect(page.getByText("No entries match these filters.")).toBeVisible();
});

test("the sweep tab lists the cleanup runs and what they removed", async ({ page, request }) => {
  await request.get("/cdn-cgi/handler/scheduled");
  await query(
    `insert into sweep_runs values ('broken-${Date.now()}', ${Date.now()}, 12, 12345, 0, 0, 0, 'expired files,abandoned uploads,leftover objects,accounts to remove')`,
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await openAdmin(page, "?tab=sweep");
  const runs = page.getByRole("table", { name: "Cleanup runs" });
  await expect(runs.getByRole("row").filter({ hasText: "Done" }).first()).toBeVisible();
  const broken = runs.getByRole("row").filter({ hasText: "12,345" });
  await expect(broken).toContainText("expired files, abandoned uploads, leftover objects, accounts to remove");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test.describe("a tab that fails to load shows an error and a retry button [ADM-32, API-38, ERR-57, ERR-64, ERR-65, ERR-66, ERR-67, ERR-68]", () => {
  for (const { name, address, title, text } of [
    { name: "Users", address: "?tab=users", title: "Failed to load users", text: "" },
    { name: "Expired Files", address: "?tab=expired", title: "Failed to load expired files", text: "" },
    { name: "Contact", address: "?tab=contact", title: "Error Loading Submissions", text: "" },
    { name: "SEO", address: "?tab=seo", title: "Failed to load SEO content", text: "" },
    { name: "Content", address: "?tab=content", title: "Failed to load page content", text: "" },
    {
      name: "Files",
      address: "",
      title: "Failed to load files. Please try again.",
      text: "There was a problem fetching file data.",
    },
  ]) {
    test(`${name}: ${title}`, async ({ page, request, expectErrors }) => {
      expectErrors(/ERR_FAILED/);
      const { id } = await createUser(request);
      await openAdmin(page, name === "Users" ? "?tab=sweep" : `?${new URLSearchParams({ tab: "users", q: id })}`);
      let requestCount = 0;
      const data = /\/admin\/dashboard\.data/;
      await page.route(data, (route) => {
        requestCount += 1;
        return route.abort();
      });
      if (name === "Files") await tableRow(page, id).getByRole("link", { name: "Files" }).click();
      else await tab(page, name).click();
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await expect(page.getByRole("alert")).toContainText(text);
      expect(requestCount).toBe(name === "Files" ? 2 : 1);
      if (address !== "") await expect(page).toHaveURL(`/admin/dashboard${address}`);
      await page.unroute(data);
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(page.getByRole("alert")).toHaveCount(0);
      if (name === "Files") await page.getByRole("link", { name: "Back to Users" }).click();
      else await expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
    });
  }
});
