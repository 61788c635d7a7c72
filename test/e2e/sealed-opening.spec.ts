import type { Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { MIB } from "#domain/units.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { pngFile } from "./support/sample-files.ts";
import { sealFile, sealTransfer, startSealedTransfer } from "./support/sealed-links.ts";
import { downloadOf, saved } from "./support/sealed-page.ts";
import { TRIP } from "./support/sealed-trip.ts";

const PASSWORD = "open sesame";
const NOTES = { name: "plan.txt", type: "text/plain", body: "the secret plan" };

const passwordOf = (page: Page) => page.getByLabel("Password", { exact: true });

test("a sealed file opens with its whole link, and the server is told neither name nor key @everyday", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { link, fragment, downloadId } = await sealFile(page.request, { streams: [[NOTES]] });
  const stranger = await openBrowser();
  const told: string[] = [];
  stranger.on("request", (request) => told.push(`${request.url()} ${request.postData() ?? ""}`));
  const response = await stranger.goto(link);
  expect(await response?.text()).not.toMatch(/plan\.txt/);
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await expect(stranger).toHaveTitle(/^plan\.txt · /);
  await expect(stranger.getByText("15 Bytes")).toBeVisible();
  await stranger.getByRole("button", { name: "Preview" }).click();
  await expect(stranger.getByText("the secret plan")).toBeVisible();
  const file = await saved(stranger);
  expect([file.name, file.bytes.toString()]).toEqual(["plan.txt", "the secret plan"]);
  await expect(stranger.getByText("Decrypted and saved.")).toBeVisible();
  await expectAccessible(stranger, "sealed-file");
  // The browser has a grant now.
  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  expect(told.filter((one) => one.includes(fragment.slice(1, 20)) || one.includes("plan.txt"))).toEqual([]);
  expect(told.some((one) => one.includes(`/api/files/download/${downloadId}/content`))).toBe(true);
});

test("a password is asked for here, and never sent [SEAL-28]", async ({ page, openBrowser, expectErrors }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[NOTES]], password: PASSWORD });
  const stranger = await openBrowser();
  const told: string[] = [];
  stranger.on("request", (request) => told.push(request.postData() ?? ""));
  await stranger.goto(link);
  await expect(passwordOf(stranger)).toBeFocused();
  await expectAccessible(stranger, "sealed-password");
  // The wrong password, and the look whether it was changed meanwhile.
  expectErrors(/40[13]/);
  await passwordOf(stranger).fill("open barley");
  await stranger.keyboard.press("Enter");
  await expect(passwordOf(stranger)).toHaveAccessibleDescription(
    "This is not the password. Ask the sender if you are unsure.",
  );
  await passwordOf(stranger).fill(PASSWORD);
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  expect((await saved(stranger)).bytes.toString()).toBe("the secret plan");
  expect(told.filter((one) => one.includes(PASSWORD) || one.includes("barley"))).toEqual([]);
});

test("a link without its end asks for the whole link [SEAL-29]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { downloadId, fragment } = await sealFile(page.request, { streams: [[NOTES]] });
  const stranger = await openBrowser();
  await stranger.goto(`/download/${downloadId}`);
  await expect(stranger.getByText("The end of the link is missing. Paste the whole link.")).toBeVisible();
  await expectAccessible(stranger, "key-missing");
  const field = stranger.getByLabel("Whole link");
  await field.fill(`https://send.example/download/another#${fragment}`);
  await stranger.getByRole("button", { name: "Open" }).click();
  await expect(field).toHaveAccessibleDescription(/^This link leads to another transfer\./);
  await field.fill(`https://send.example/download/${downloadId}#${fragment.slice(0, -3)}`);
  await stranger.getByRole("button", { name: "Open" }).click();
  await expect(field).toHaveAccessibleDescription(/3 characters are missing/);
  // As a mail program writes it.
  await field.fill(` https://send.example/download/${downloadId}%23${fragment} `);
  await stranger.getByRole("button", { name: "Open" }).click();
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();

  await stranger.goto("/");
  await stranger.goto(`/download/${downloadId}#${fragment.slice(0, -1)}`);
  await expect(stranger.getByText(/^The end of the link is cut off: 1 character is missing\./)).toBeVisible();
  await stranger.goto("/");
  await stranger.goto(`/download/${downloadId}#9${fragment.slice(1)}`);
  await expect(stranger.getByText(/^A newer version of this page made this link\./)).toBeVisible();
});

test("another key opens nothing [SEAL-27]", async ({ page, openBrowser, expectErrors }) => {
  await signUpByApi(page);
  const { downloadId } = await sealFile(page.request, { streams: [[NOTES]] });
  const another = await sealFile(page.request, { streams: [[NOTES]] });
  const stranger = await openBrowser();
  expectErrors(/401|403/);
  await stranger.goto(`/download/${downloadId}#${another.fragment}`);
  await expect(stranger.getByRole("alert")).toHaveText(/^The end of this link does not open the transfer\./);
});

test("a link that a mail program has rewritten is mended, and the page says so [SEAL-29]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const { downloadId, fragment } = await sealFile(page.request, { streams: [[NOTES]] });
  const stranger = await openBrowser();
  const response = await stranger.goto(`/download/${downloadId}%23${fragment}`);
  expect(response?.status()).toBe(200);
  expect(await response?.text()).toContain("Your mail program has changed this link and has seen its key.");
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await expect(stranger).toHaveURL(`/download/${downloadId}#${fragment}`);
  await expect(stranger.getByText(/^Your mail program has changed this link and has seen its key\./)).toBeVisible();
});

test("language, theme and sign-in keep the key in the address [SEAL-29]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[NOTES]] });
  const stranger = await openBrowser();
  const urls: string[] = [];
  stranger.on("request", (request) => urls.push(request.url()));
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await stranger.getByLabel("Language").first().selectOption("de");
  await expect(stranger.getByText("Deine Datei ist bereit")).toBeVisible();
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await stranger.getByRole("radio", { name: "Dunkle Darstellung" }).first().check({ force: true });
  await expect(stranger).toHaveURL(link);
  await stranger.reload();
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await stranger.getByRole("button", { name: "Anmelden" }).first().click();
  await expect(stranger.getByRole("dialog")).toBeVisible();
  await expect(stranger).toHaveURL(link);
  expect(urls.filter((url) => url.includes("returnTo"))).toEqual([]);
});

test("a sealed transfer shows its files, saves one, some and all of them [SEAL-30]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link } = await sealTransfer(page.request, TRIP);
  const stranger = await openBrowser();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "Summer" })).toBeVisible();
  await expect(stranger.getByText("Have fun")).toBeVisible();
  await expect(stranger.getByRole("row", { name: "route.txt" })).toContainText("18 Bytes");
  await expect(stranger.getByRole("row", { name: "empty" })).toContainText("Empty folder");
  await expectAccessible(stranger, "sealed-transfer");
  const first = await saved(stranger, () => stranger.getByRole("button", { name: "first.txt", exact: true }).click());
  expect([first.name, first.bytes.toString()]).toEqual(["first.txt", "Coimbra"]);

  await stranger.getByRole("checkbox", { name: "Select route.txt" }).check();
  await stranger.getByRole("checkbox", { name: "Select first.txt" }).check();
  const some = await saved(stranger, () => stranger.getByRole("button", { name: "Download 2 files (ZIP)" }).click());
  expect(some.name).toBe("Summer (2 files).zip");
  expect(textsOf(some.bytes)).toEqual({ "trip/route.txt": "Lisbon, then Porto", "trip/stops/first.txt": "Coimbra" });

  const all = await saved(stranger, () => stranger.getByRole("button", { name: /^Download all \(ZIP, / }).click());
  expect(all.name).toBe("Summer.zip");
  const names = ["trip/empty/", "trip/route.txt", "trip/stops/first.txt", "trip/beach.png", "trip/nothing.txt"];
  expect(Object.keys(unzipSync(all.bytes)).sort()).toEqual([...names].sort());
  expect(unzipSync(all.bytes)["trip/beach.png"]).toEqual(pngFile(300, 200));

  await stranger.getByRole("button", { name: "Preview and details of beach.png" }).click();
  const dialog = stranger.getByRole("dialog", { name: "beach.png" });
  await expect(dialog.getByRole("img", { name: "beach.png" })).toHaveJSProperty("naturalWidth", 300);
});

function textsOf(zip: Buffer): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, file]) => [name, strFromU8(file)]));
}

test("a transfer that arrives shows names at once, and files as they come [SEAL-30]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const transfer = await startSealedTransfer(page.request, TRIP);
  const stranger = await openBrowser();
  await stranger.goto(transfer.link);
  await expect(stranger.getByRole("heading", { name: "Summer" })).toBeVisible();
  await expect(stranger.getByRole("row", { name: "route.txt" })).toContainText("Waiting");
  await transfer.send(1);
  const route = stranger.getByRole("button", { name: "route.txt", exact: true });
  await expect(route).toBeVisible();
  expect((await saved(stranger, () => route.click())).bytes.toString()).toBe("Lisbon, then Porto");
  // Its sums come with the last list.
  await stranger.getByRole("checkbox", { name: "Select route.txt" }).check();
  await stranger.getByRole("button", { name: "Download 1 file (ZIP)" }).click();
  await expect(stranger.getByRole("alert")).toHaveText(/^A ZIP can be made when the sender has finished\./);
  await transfer.putManifest({ ...transfer.manifest, title: "Autumn" });
  await expect(stranger.getByRole("heading", { name: "Autumn" })).toBeVisible();
  await transfer.send(0, 2, 3);
  await transfer.end();
  await expect(stranger.getByRole("button", { name: /^Download all \(ZIP, / })).toBeVisible();
  expect(await expectWholeTrip(stranger)).toBe(5);
});

async function expectWholeTrip(page: Page): Promise<number> {
  const all = await saved(page, () => page.getByRole("button", { name: /^Download all \(ZIP, / }).click());
  return Object.keys(unzipSync(all.bytes)).length;
}

test("a limited link counts once a file was opened to its end [SEAL-35]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUpByApi(page);
  const { link, downloadId } = await sealFile(page.request, { streams: [[NOTES]], maxDownloads: 1 });
  const stranger = await openBrowser();
  await stranger.goto(link);
  await expect(stranger.getByText("1 of 1 download left. A broken download does not count.")).toBeVisible();
  const used = async () =>
    (await query(`select downloads_used as n from files where download_id = '${downloadId}'`))[0]?.n;
  expect(await used()).toBe(0);
  expect((await saved(stranger)).bytes.toString()).toBe("the secret plan");
  await expect.poll(used).toBe(1);

  const late = await openBrowser();
  expectErrors(/410/);
  await late.goto(link);
  await expect(late.getByRole("heading", { name: "File Has Expired" })).toBeVisible();
});

test("a link whose grant has ended unlocks again by itself", async ({ page, openBrowser, expectErrors }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, { streams: [[NOTES]], password: PASSWORD });
  const stranger = await openBrowser();
  await stranger.goto(link);
  await passwordOf(stranger).fill(PASSWORD);
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await stranger.context().clearCookies();
  expectErrors(/401/);
  expect((await saved(stranger)).bytes.toString()).toBe("the secret plan");
});

test("a new password locks the open page, and opens it again [SEAL-28]", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUpByApi(page);
  const { link, setPassword } = await sealFile(page.request, { streams: [[NOTES]], password: PASSWORD });
  const stranger = await openBrowser();
  await stranger.goto(link);
  await passwordOf(stranger).fill(PASSWORD);
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
  await setPassword("open barley");
  expectErrors(/401|403/);
  await downloadOf(stranger).click();
  await expect(stranger.getByText("The password of this link has changed. Enter the new one to go on.")).toBeVisible();
  await passwordOf(stranger).fill("open barley");
  await stranger.keyboard.press("Enter");
  expect((await saved(stranger)).bytes.toString()).toBe("the secret plan");
});

test("what the sender did not encrypt is called damaged, and not saved [SEAL-32]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link } = await sealFile(page.request, {
    streams: [[{ name: "film.bin", body: plainBytes(3 * MIB) }]],
    damage: (sealed) => sealed.fill(1, 2 * MIB + 100, 2 * MIB + 101),
  });
  const stranger = await openBrowser();
  const downloads: string[] = [];
  stranger.on("download", (download) => downloads.push(download.suggestedFilename()));
  await stranger.goto(link);
  await downloadOf(stranger).click();
  await expect(stranger.getByRole("alert")).toHaveText(
    "Part of this file is not what the sender encrypted. Nothing of it was saved.",
  );
  await expectAccessible(stranger, "sealed-damaged");
  expect(downloads).toEqual([]);
});

test("the key goes to the moderators only when the reader says so [SEAL-36]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const { link, fragment, downloadId } = await sealFile(page.request, { streams: [[NOTES]] });
  const keys = () =>
    query(
      `select shared_key as k from file_reports where file_id = (select id from files where download_id = '${downloadId}')
       order by created_at`,
    );
  for (const isShared of [false, true]) {
    const stranger = await openBrowser();
    // A full stop of the sentence that the link stood in.
    await stranger.goto(`${link}.`);
    await stranger.getByRole("button", { name: "Report this file" }).click();
    await stranger.getByRole("dialog").getByLabel("Something else").check();
    const box = stranger.getByRole("checkbox", { name: "Let the moderators look inside" });
    await expect(box).not.toBeChecked();
    if (isShared) await box.check();
    await stranger.getByRole("button", { name: "Send report" }).click();
    await expect(stranger.getByText("Thank you")).toBeVisible();
  }
  const [first, second] = await keys();
  expect(first?.k).toBeNull();
  // It is sealed with the deployment's key: test/worker/sealed-reports.test.ts has a moderator open it.
  expect(second?.k).toMatch(/^[\w-]+\.[\w-]+/);
  expect(second?.k).not.toContain(fragment);
});
