import { join } from "node:path";
import type { ListedEntries, ReceivedPage } from "#domain/wire.ts";
import { MIB } from "#domain/units.ts";
import { signUp } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { chooseFile, randomFile, sha256 } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { chooseFolder } from "./support/many-files.ts";
import { expectToast } from "./support/plans.ts";
import { pathOf, requestByApi, sendListed } from "./support/requests.ts";
import { sendAndStall } from "./support/stalled-transfer.ts";

const SMALL = { "a.txt": 1000, "b.txt": 2000 };

test("what a request does not take is named before anything is sent, and a full one says so", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const request = await requestByApi(page, "One PDF", {
    kinds: ["pdf"],
    mostTransfers: 1,
    mostFileBytes: 2 * MIB,
    mostBytes: 3 * MIB,
  });
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  const files = [
    await randomFile("scan.pdf", MIB),
    await randomFile("large.pdf", 2 * MIB + 1),
    await randomFile("notes.txt", 10),
  ];
  await stranger.getByLabel("Choose files").setInputFiles(files);
  const send = stranger.getByRole("button", { name: /^Send / });
  await expect(send).toBeDisabled();
  const kinds = stranger.getByRole("alert").filter({ hasText: "One file is of another kind. Wanted: PDF." });
  await expect(kinds).toContainText("notes.txt");
  await expect(stranger.getByText("These files are 3 MB together. 3 MB still fit.")).toBeVisible();
  await expectAccessible(stranger, "request-refusals");
  await kinds.getByRole("button", { name: "Leave it out" }).click();
  await expect(stranger.getByRole("heading", { name: "2 files, 3 MB" })).toBeVisible();
  const large = stranger.getByRole("alert").filter({ hasText: "One file is larger than 2 MB:" });
  await expect(large).toContainText("large.pdf");
  await large.getByRole("button", { name: "Leave it out" }).click();
  await sendListed(stranger);
  await stranger.getByRole("button", { name: "Send more" }).click();
  await expect(stranger.getByRole("heading", { name: "Nothing more fits in here" })).toBeVisible();
  await expectAccessible(stranger, "request-full");
});

test("a request with a password asks for it, and says when it is wrong", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUp(page);
  const request = await requestByApi(page, "Contracts", { password: "blue lobster", note: "Signed, please." });
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  await expect(stranger.getByRole("heading", { name: "Contracts" })).toBeVisible();
  await expect(stranger.getByText("Signed, please.")).toHaveCount(0);
  const password = stranger.getByRole("textbox", { name: "Password" });
  await expect(password).toBeFocused();
  await expectAccessible(stranger, "request-locked");
  await stranger.keyboard.press("Enter");
  await expect(password).toHaveAccessibleDescription("Enter the password.");
  expectErrors(/403/);
  await password.fill("red lobster");
  await stranger.keyboard.press("Enter");
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await expect(password).not.toHaveAccessibleDescription("Enter the password.");
  await password.fill("blue lobster");
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByText("Signed, please.")).toBeVisible();
  await stranger.getByLabel("Choose files").setInputFiles(await randomFile("contract.pdf", 1000));
  await sendListed(stranger);
});

test("after a request was opened, uploads of one's own are one's own [REQ-9]", async ({ page, openBrowser }) => {
  await signUp(page);
  const request = await requestByApi(page, "Small things", { mostBytes: 1000 });
  const other = await openBrowser();
  await signUp(other);
  await other.goto(pathOf(request));
  await expect(other.getByRole("heading", { name: "Small things" })).toBeVisible();
  await other.getByLabel("Choose files").setInputFiles(await randomFile("small.txt", 100));
  await sendListed(other);
  await other.goto("/");
  await chooseFile(other, await randomFile("own.bin", 5000));
  await expect(other.getByText("Ready to share")).toBeVisible();
  await other.goto("/dashboard");
  const own = other.getByRole("main").getByRole("listitem");
  await expect(own.filter({ hasText: "own.bin" })).toBeVisible();
  await expect(own.filter({ hasText: "small.txt" })).toHaveCount(0);
  const received = (await (await page.request.get("/api/received")).json()) as ReceivedPage;
  expect(received.items.map(({ title }) => title)).toEqual(["small.txt"]);
  const [counted] = (await (await page.request.get("/api/requests")).json()) as { receivedBytes: number }[];
  expect(counted?.receivedBytes).toBe(100);
  const [sent] = await query(`select request_id as request from files where filename = 'own.bin'`);
  expect(sent?.request).toBeNull();
});

test("an upload goes on after a reload, in the same browser, where it stopped [REQ-9]", async ({
  page,
  openBrowser,
}) => {
  await signUp(page);
  const request = await requestByApi(page, "Films");
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  const { folder, goOn } = await sendAndStall(stranger, "Films", SMALL);
  stranger.on("dialog", (dialog) => void dialog.accept());
  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "Your upload is not finished" })).toBeVisible();
  await expectAccessible(stranger, "request-unfinished");
  await stranger.getByLabel("Choose files").setInputFiles(await randomFile("other.txt", 10));
  await expect(stranger.getByRole("heading", { name: "These are other files" })).toBeVisible();
  await stranger.getByRole("button", { name: "Choose again" }).click();
  goOn();
  await chooseFolder(stranger, folder);
  await expect(stranger.getByRole("heading", { name: "Everything has arrived" })).toBeVisible();
  await expect(stranger.getByRole("region", { name: "Receipt" })).toContainText(await sha256(join(folder, "a.txt")));
  const { items } = (await (await page.request.get("/api/received")).json()) as ReceivedPage;
  expect(items).toHaveLength(1);
  const listed = await page.request.get(`/api/files/download/${items[0]?.downloadId}/entries`);
  const { entries } = (await listed.json()) as ListedEntries;
  expect(entries.map(({ path }) => path).sort()).toEqual(["Films/a.txt", "Films/b.txt", "Films/large.bin"]);
  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "Your upload is not finished" })).toHaveCount(0);
});

test("an upload that is cancelled leaves nothing", async ({ page, openBrowser }) => {
  await signUp(page);
  const request = await requestByApi(page, "Drafts");
  const stranger = await openBrowser();
  await stranger.goto(pathOf(request));
  await sendAndStall(stranger, "Drafts", SMALL);
  await stranger.getByRole("button", { name: "Cancel", exact: true }).click();
  await stranger.getByRole("dialog").getByRole("button", { name: "Cancel the upload" }).click();
  await expectToast(stranger, "Upload cancelled");
  await expect(stranger.getByLabel("Choose files")).toBeAttached();
  await expect
    .poll(async () => (await (await page.request.get("/api/requests")).json()) as unknown[])
    .toMatchObject([{ receivedBytes: 0 }]);
});
