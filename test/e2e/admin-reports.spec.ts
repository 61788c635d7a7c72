import { addFile, expectToast, newUser, openAdmin, rowOf } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";

const LATER = Date.UTC(2100, 0, 1);

test("a visitor reports a file from its page; the report is dismissed, or the file taken down", async ({
  page,
  request,
  openBrowser,
  expectErrors,
}) => {
  const { id } = await newUser(request);
  const filename = `bank-${id.slice(0, 8)}.html`;
  const downloadId = await addFile({ userId: id, filename, expiresAt: LATER });
  const visitor = await openBrowser();
  const dialog = visitor.getByRole("dialog");
  const report = async (reason: string, message: string) => {
    await visitor.goto(`/download/${downloadId}`);
    await visitor.getByRole("button", { name: "Report this file" }).click();
    await dialog.getByLabel(reason).check();
    await dialog.getByLabel("Message (optional)").fill(message);
    await dialog.getByRole("button", { name: "Send report" }).click();
    await expect(dialog.getByRole("heading", { name: "Thank you" })).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).first().click();
  };
  await visitor.goto(`/download/${downloadId}`);
  await visitor.getByRole("button", { name: "Report this file" }).click();
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog.getByText("Choose what is wrong with this file.")).toBeVisible();
  await visitor.keyboard.press("Escape");
  await report("Something else", `Not sure ${id}`);
  await report("Malware or fraud", `It asks for passwords ${id}`);

  await openAdmin(page, "?tab=reports");
  const dismissed = rowOf(page, `Not sure ${id}`);
  await expect(dismissed).toContainText(filename);
  await expect(dismissed).toContainText("Something else");
  await dismissed.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click();
  await expectToast(page, "Report dismissed");
  await expect(dismissed).toHaveCount(0);

  await rowOf(page, `It asks for passwords ${id}`).getByRole("button", { name: "Take Down" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
  await expect(page.getByLabel("Reason")).toHaveAccessibleDescription(/Say why the file is taken down/);
  await page.getByLabel("Reason").fill("Phishing");
  await page.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "File taken down");
  await page.getByLabel("State").selectOption("Settled ones");
  await expect(page).toHaveURL(/state=settled/);
  await expect(rowOf(page, `It asks for passwords ${id}`)).toContainText("Phishing");
  expectErrors(/410|404/);
  await visitor.reload();
  await expect(visitor.getByRole("button", { name: "Report this file" })).toHaveCount(0);
  expect(await query(`select takedown_reason from files where download_id = '${downloadId}'`)).toEqual([
    { takedown_reason: "Phishing" },
  ]);
});

test("a file is found by its link, whoever uploaded it", async ({ page, request, baseURL }) => {
  const { id } = await newUser(request);
  const downloadId = await addFile({ userId: id, filename: "named-in-a-letter.zip", expiresAt: LATER });
  await openAdmin(page, "?tab=reports");
  const finder = page.getByRole("region", { name: "Find a file" });
  await finder.getByLabel("Find a file").fill(`${baseURL}/download/${downloadId}`);
  await expect(finder.getByText("named-in-a-letter.zip")).toBeVisible();
  await expect(finder.getByRole("link", { name: id })).toBeVisible();
  await finder.getByLabel("Find a file").fill("no-such-file");
  await expect(finder.getByText("There is no such file.")).toBeVisible();
});
