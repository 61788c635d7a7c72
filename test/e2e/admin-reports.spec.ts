import { toBase64url } from "#domain/bytes-as-text.ts";
import { signUpByApi } from "./support/accounts.ts";
import { insertFile, expectToast, createUser, openAdmin, tableRow } from "./support/admin.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { sealFile } from "./support/sealed-links.ts";

const FAR_FUTURE = Date.UTC(2100, 0, 1);

test("a visitor reports a file, and an administrator dismisses the report or takes the file down @everyday", async ({
  page,
  request,
  openBrowser,
  expectErrors,
}) => {
  const { id } = await createUser(request);
  const filename = `bank-${id.slice(0, 8)}.html`;
  const downloadId = await insertFile({ userId: id, filename, expiresAt: FAR_FUTURE });
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
  await expect(dialog.getByText("Please choose what is wrong with this file.")).toBeVisible();
  await visitor.keyboard.press("Escape");
  await report("Something else", `Not sure ${id}`);
  await report("Malware or fraud", `It asks for passwords ${id}`);

  await openAdmin(page, "?tab=reports");
  const dismissed = tableRow(page, `Not sure ${id}`);
  await expect(dismissed).toContainText(filename);
  await expect(dismissed).toContainText("Something else");
  await dismissed.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click();
  await expectToast(page, "Report dismissed");
  await expect(dismissed).toHaveCount(0);

  await tableRow(page, `It asks for passwords ${id}`).getByRole("button", { name: "Take Down" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
  await expect(page.getByLabel("Reason")).toHaveAccessibleDescription(/Please enter a reason for the takedown/);
  await page.getByLabel("Reason").fill("Phishing");
  await page.getByRole("dialog").getByRole("button", { name: "Take down" }).click();
  await expectToast(page, "File taken down");
  await page.getByLabel("State").selectOption("Resolved");
  await expect(page).toHaveURL(/state=settled/);
  await expect(tableRow(page, `It asks for passwords ${id}`)).toContainText("Phishing");
  expectErrors(/410|404/);
  await visitor.reload();
  await expect(visitor.getByRole("button", { name: "Report this file" })).toHaveCount(0);
  expect(await query(`select takedown_reason from files where download_id = '${downloadId}'`)).toEqual([
    { takedown_reason: "Phishing" },
  ]);
});

test("an administrator finds any file by its link", async ({ page, request, baseURL }) => {
  const { id } = await createUser(request);
  const downloadId = await insertFile({ userId: id, filename: "named-in-a-letter.zip", expiresAt: FAR_FUTURE });
  await openAdmin(page, "?tab=reports");
  const searchRegion = page.getByRole("region", { name: "Find a file" });
  await searchRegion.getByLabel("Find a file").fill(`${baseURL}/download/${downloadId}`);
  await expect(searchRegion.getByText("named-in-a-letter.zip")).toBeVisible();
  await expect(searchRegion.getByRole("link", { name: id })).toBeVisible();
  await searchRegion.getByLabel("Find a file").fill("no-such-file");
  await expect(searchRegion.getByText("No file was found.")).toBeVisible();
});

test("an administrator looks inside a reported encrypted file, and the log says so", async ({
  page,
  openBrowser,
  baseURL,
}) => {
  const sender = await openBrowser();
  await signUpByApi(sender);
  const {
    downloadId,
    fragment,
    link,
    sender: keys,
  } = await sealFile(sender.request, {
    streams: [[{ name: "bank.html", body: "your password, please" }]],
  });
  const visitor = await openBrowser();
  const path = `/api/files/download/${downloadId}`;
  const access = toBase64url(keys.link.access);
  expect((await visitor.request.post(`${path}/unlock`, { data: { access } })).status()).toBe(200);
  const sharedKey = { fragment, password: "its own password" };
  const report = { reason: "malware", message: `Look inside ${downloadId}`, sharedKey };
  expect((await visitor.request.post(`${path}/report`, { data: report })).status()).toBe(201);

  await openAdmin(page, "?tab=reports");
  const row = tableRow(page, `Look inside ${downloadId}`);
  await expect(row).toContainText("Encrypted transfer");
  await row.getByRole("button", { name: "Look inside" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Each look is noted in the admin log.");
  await dialog.getByRole("button", { name: "Look inside" }).click();
  await expect(dialog.getByRole("link")).toHaveAttribute("href", `${baseURL}${link}`);
  await expect(dialog).toContainText("its own password");
  await expectAccessible(page, "admin-shared-key");
  await dialog.getByRole("button", { name: "Close" }).first().click();
  const looks = `select count(*) as n from admin_audit_logs join file_reports on target = file_reports.id
    join files on files.id = file_id where action = 'report.reveal-key' and download_id = '${downloadId}'`;
  expect(await query(looks)).toEqual([{ n: 1 }]);
});
