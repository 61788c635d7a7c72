import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReceivedPage } from "#domain/wire.ts";
import { signUp, signUpWithClipboard } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFolder, randomFolder } from "./support/many-files.ts";
import { expectToast } from "./support/plans.ts";
import { pathOf, requestByApi, sendListed } from "./support/requests.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

const SMALL = { "a.txt": 1000, "b.txt": 2000 };

test("somebody makes a request, a stranger sends a folder and keeps a receipt, and the owner forwards it [REQ-9] @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUpWithClipboard(page);
  await page.goto("/dashboard");
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Requests" }).click();
  await expect(page.getByRole("heading", { name: "Nobody can send you files yet." })).toBeVisible();
  await page.getByRole("button", { name: "Make your first request" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await expect(dialog.getByText("Please say what people should send.")).toBeVisible();
  await dialog.getByLabel("What do you need?").fill("Photos of Saturday");
  await dialog.getByLabel("Note (optional)").fill("Even the blurry ones.");
  await expect(dialog.getByRole("group", { name: "Ask senders for" }).getByLabel("their name")).toBeChecked();
  await dialog.getByLabel("their email address, for a receipt").check();
  await dialog.getByText("Limits and more").click();
  await dialog.getByLabel("Limits: In all").fill("much");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await expect(dialog.getByText("Write a size with its unit, such as MB or GB, or leave it empty.")).toBeVisible();
  await expect(dialog.getByLabel("Limits: In all")).toBeFocused();
  await dialog.getByLabel("Limits: In all").fill("10 MB");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await expect(dialog.getByRole("heading", { name: "Your link is ready" })).toBeVisible();
  const link = await dialog.getByLabel("Link of the request").inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Your plan allows 1 open request. Close one first")).toBeVisible();
  await expect(page.getByRole("link", { name: "See the plans" })).toHaveAttribute("href", "/pricing");

  const stranger = await openBrowser();
  const sockets: string[] = [];
  stranger.on("websocket", (socket) => sockets.push(socket.url()));
  await stranger.goto(new URL(link).pathname);
  await expect(stranger.getByRole("heading", { name: "Photos of Saturday" })).toBeVisible();
  await expect(stranger.getByText("Even the blurry ones.")).toBeVisible();
  await expect(stranger.getByRole("list", { name: "What you can send" })).toContainText("Up to 10 MB in all");
  const folder = await randomFolder("Saturday", SMALL);
  await chooseFolder(stranger, folder);
  await expect(stranger.getByRole("heading", { name: "2 files, 2.93 KB" })).toBeVisible();
  await stranger.getByRole("button", { name: "Send 2 files (2.93 KB)" }).click();
  await expect(stranger.getByText("Please say who you are.")).toBeVisible();
  await expect(stranger.getByText("Please give your email address.")).toBeVisible();
  await expect(stranger.getByLabel("Your name")).toBeFocused();
  await stranger.getByLabel("Your name").fill("Ann");
  await stranger.getByLabel("Your email address").fill("not an address");
  await stranger.getByLabel("Note (optional)").fill("More tomorrow.");
  await stranger.getByRole("button", { name: "Send 2 files (2.93 KB)" }).click();
  await expect(stranger.getByText("Please enter a valid email address")).toBeVisible();
  await stranger.getByLabel("Your email address").fill("ann@example.com");
  await sendListed(stranger);
  const receipt = stranger.getByRole("region", { name: "Receipt" });
  await expect(receipt).toContainText("Saturday/a.txt");
  await expect(receipt).toContainText(await sha256(join(folder, "b.txt")));
  await expect(stranger.getByText("A receipt is mailed to ann@example.com.")).toBeVisible();
  const download = stranger.waitForEvent("download");
  await stranger.getByRole("button", { name: "Save the receipt" }).click();
  const saved = await readFile(await (await download).path(), "utf8");
  expect(saved).toContain(`${await sha256(join(folder, "a.txt"))}  Saturday/a.txt`);
  await expect(stranger.locator("main")).not.toContainText("/download/");
  expect(sockets).toEqual([]);
  expect(await stranger.context().cookies()).toEqual([]);

  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Received" }).click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Saturday" });
  await expect(row).toContainText("From Ann, ann@example.com");
  await expect(row).toContainText("not checked");
  await expect(row).toContainText("More tomorrow.");
  await row.getByRole("link", { name: "Open Saturday" }).click();
  await expect(page.getByText("a.txt").first()).toBeVisible();
  const address = new URL(page.url()).pathname;
  expect((await stranger.request.get(address)).status()).toBe(404);
  await page.goBack();
  await expect(row.getByText("has a link")).toHaveCount(0);
  await row.getByRole("button", { name: "Make a link" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make the link" }).click();
  const shared = page.getByRole("dialog", { name: "Forward “Saturday”" }).getByLabel("Share link");
  const shareUrl = await shared.inputValue();
  expect((await stranger.request.get(new URL(shareUrl).pathname)).status()).toBe(200);
  await page.getByRole("dialog").getByRole("button", { name: "Email" }).click();
  await expect(page.getByRole("dialog", { name: "Send by email" }).getByLabel("To")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row.getByText("has a link")).toBeVisible();
  await expect(row.getByRole("button", { name: "Share link" })).toBeVisible();
});

test("the pages of requests are accessible, whatever they show [REQ-9]", async ({ page, openBrowser }) => {
  await signUp(page);
  await page.goto("/dashboard/requests");
  await expect(page.getByRole("heading", { name: "Nobody can send you files yet." })).toBeVisible();
  await expectAccessible(page, "requests-empty");
  await page.getByRole("button", { name: "Make your first request" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Limits and more").click();
  await dialog.getByRole("button", { name: "Make the link" }).click();
  await expect(dialog.getByText("Please say what people should send.")).toBeVisible();
  await expectAccessible(page, "request-form");
  await page.keyboard.press("Escape");
  const request = await requestByApi(page, "Photos", { note: "Even the blurry ones.", asksEmail: true });
  await page.reload();
  await expect(page.getByText("Your plan allows 1 open request. Close one first")).toBeVisible();
  await expectAccessible(page, "requests");

  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  await expect(stranger.getByText("Even the blurry ones.")).toBeVisible();
  await expectAccessible(stranger, "request-page");
  await chooseFolder(stranger, await randomFolder("Photos", SMALL));
  await stranger.getByLabel("Your email address").fill("not an address");
  await stranger.getByRole("button", { name: "Send 2 files (2.93 KB)" }).click();
  await expect(stranger.getByText("Please enter a valid email address")).toBeVisible();
  await expectAccessible(stranger, "request-list");
  await stranger.getByLabel("Your email address").fill("ann@example.com");
  await sendListed(stranger);
  await expect(stranger.getByRole("region", { name: "Receipt" })).toContainText("Photos/a.txt");
  await expectAccessible(stranger, "request-receipt");

  await page.goto("/dashboard/received");
  await expect(page.getByRole("link", { name: "Open Photos" })).toBeVisible();
  await expectAccessible(page, "received");
  await page.getByRole("button", { name: "Make a link" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make the link" }).click();
  await expect(page.getByRole("dialog", { name: "Forward “Photos”" }).getByLabel("Share link")).toBeVisible();
  await expectAccessible(page, "received-link");
});

test("what runs finishes after the request was closed, and nothing else begins [REQ-6]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const request = await requestByApi(page, "Films");
  const [running, late] = [await openBrowser(), await openBrowser()];
  await running.goto(pathOf(request));
  const { folder, goOn } = await sendAndStall(running, "Films", SMALL);
  await late.goto(pathOf(request));
  await late.getByLabel("Choose files").setInputFiles(await randomFile("late.txt", 10));
  expect((await page.request.patch(`/api/requests/${request.id}`, { data: { closed: true } })).ok()).toBe(true);
  expectErrors(/410/);
  await late.getByRole("button", { name: "Send 1 file (10 Bytes)" }).click();
  await expect(late.getByText(/This request is closed/).first()).toBeVisible();
  await expectAccessible(late, "request-closed-meanwhile");
  goOn();
  await expect(running.getByRole("heading", { name: "Everything has arrived" })).toBeVisible();
  await expect(running.getByRole("region", { name: "Receipt" })).toContainText(await sha256(join(folder, "large.bin")));
  const { items } = (await (await page.request.get("/api/received")).json()) as ReceivedPage;
  expect(items.map(({ title }) => title)).toEqual(["Films"]);
});

test("a closed request says so, and takes files again once it is open", async ({ page, openBrowser, expectErrors }) => {
  await signUp(page);
  const request = await requestByApi(page, "Invoices");
  await page.goto("/dashboard/requests");
  await page.getByRole("button", { name: "More actions for Invoices" }).click();
  await page.getByRole("menuitem", { name: "Close" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close it" }).click();
  await expectToast(page, "Request closed");
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Invoices" });
  await expect(row.getByText("Closed", { exact: true })).toBeVisible();
  const stranger = await openBrowser();
  expectErrors(/410/);
  const response = await stranger.goto(pathOf(request));
  expect(response?.status()).toBe(410);
  expect(response?.headers()["x-robots-tag"]).toBe("noindex");
  expect(response?.headers()["referrer-policy"]).toBe("no-referrer");
  await expect(stranger.getByRole("heading", { name: "This request is closed" })).toBeVisible();
  await expectAccessible(stranger, "request-closed");
  await page.getByRole("button", { name: "More actions for Invoices" }).click();
  await page.getByRole("menuitem", { name: "Open again" }).click();
  await expectToast(page, "Request opened again");
  await stranger.goto(pathOf(request));
  await expect(stranger.getByLabel("Choose files")).toBeAttached();
});

test("the owner refuses a sender and closes the request, and deletes what else came", async ({ page, openBrowser }) => {
  await signUp(page);
  const request = await requestByApi(page, "Anything");
  const stranger = await openBrowser();
  for (const name of ["good.txt", "bad.txt"]) {
    await stranger.goto(pathOf(request));
    await stranger.getByLabel("Choose files").setInputFiles(await randomFile(name, 100));
    await sendListed(stranger);
  }
  await page.goto(`/dashboard/received?request=${request.id}`);
  await expect(page.getByRole("combobox", { name: "Show" })).toHaveValue(request.id);
  await page.getByRole("button", { name: "More actions for bad.txt" }).click();
  await page.getByRole("menuitem", { name: "Refuse the sender" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What is wrong with it? (optional)").fill("It is spam.");
  await dialog.getByLabel("Also close the request").check();
  await expectAccessible(page, "received-refuse");
  await dialog.getByRole("button", { name: "Refuse" }).click();
  await expectToast(page, "Sender refused");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows.filter({ hasText: "bad.txt" })).toHaveCount(0);
  await page.getByRole("button", { name: "Delete good.txt" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
  await expectToast(page, "Deleted");
  await expect(page.getByText("Nothing has come through this request.")).toBeVisible();
  await page.goto("/dashboard/requests");
  await expect(rows.filter({ hasText: "Anything" }).getByText("Closed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Delete Anything" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
  await expectToast(page, "Request deleted");
  await expect(page.getByRole("heading", { name: "Nobody can send you files yet." })).toBeVisible();
});

test("the owner changes a request", async ({ page }) => {
  await signUp(page);
  await requestByApi(page, "Essays", { mostBytes: 5_000_001, password: "blue lobster", expiresIn: "30d" });
  await page.goto("/dashboard/requests");
  const menu = page.getByRole("button", { name: "More actions for Essays" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What do you need?").fill("Essays of 2026");
  await dialog.getByLabel("Remove the password").check();
  await dialog.getByLabel("Kinds of files").fill("pdf docx");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Request changed");
  const [row] = await query(
    `select most_bytes as bytes, password_hash as guard, kinds from upload_requests where title = 'Essays of 2026'`,
  );
  expect(row).toMatchObject({ bytes: 5_000_001, guard: null });
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: "only PDF, DOCX" })).toBeVisible();
});
