import { readFile } from "node:fs/promises";
import { signUpByApi } from "./support/accounts.ts";
import { expectAccessible } from "./support/axe.ts";
import { expect, test } from "./support/fixtures.ts";
import { expectToast } from "./support/plans.ts";

test("a key is made, shown once, used, changed and revoked [KEY-17]", async ({ page, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUpByApi(page);
  await page.goto("/account");
  await expect(page.getByText("You have no API key yet.")).toBeVisible();
  const dialog = page.getByRole("dialog");

  await page.getByRole("button", { name: "Make a key" }).click();
  await expect(dialog.getByLabel("How long it works")).toHaveValue("90d");
  await dialog.getByLabel("Send files").uncheck();
  await dialog.getByRole("button", { name: "Make key" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(/Give the key a name\./);
  await expect(dialog.getByRole("group", { name: "What it may do" })).toHaveAccessibleDescription(
    "Choose what the key may do.",
  );
  await dialog.getByLabel("Name").fill("Backups");
  await dialog.getByLabel("Send files").check();
  await dialog.getByLabel("List your files").check();
  await expect(dialog.getByText("A key that runs out is safer.")).toBeHidden();
  await dialog.getByLabel("How long it works").selectOption("Until you revoke it");
  await expect(dialog.getByText("A key that runs out is safer.")).toBeVisible();
  await dialog.getByText("Limits and web pages").click();
  await dialog.getByLabel("Calls a minute").fill("301");
  await dialog.getByLabel("Most in a month, in MB").fill("1.5");
  await dialog.getByText("Limits and web pages").click();
  await dialog.getByRole("button", { name: "Make key" }).click();
  // The wrong fields are in sight again.
  await expect(dialog.getByLabel("Calls a minute")).toHaveAccessibleDescription("Enter a whole number from 1 to 300.");
  await expect(dialog.getByLabel("Most in a month, in MB")).toHaveAccessibleDescription(
    "Enter a whole number from 1, or leave it empty.",
  );
  await dialog.getByLabel("Calls a minute").fill("60");
  await dialog.getByLabel("Most in a month, in MB").fill("2048");
  await expectAccessible(page, "key-dialog");
  await dialog.getByRole("button", { name: "Make key" }).click();

  await expect(dialog.getByLabel("Key", { exact: true })).toHaveValue(/^mayfly_[0-9A-Za-z]{38}$/);
  const key = await dialog.getByLabel("Key", { exact: true }).inputValue();
  await expectAccessible(page, "key-made");
  await dialog.getByRole("button", { name: "Copy: Key" }).click();
  await expect(dialog.getByRole("button", { name: "Copied: Key" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await expect(dialog.getByRole("textbox", { name: "Send a file with curl" })).toHaveValue(
    `curl -u :${key} -T report.pdf ${baseURL}/`,
  );
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "ShareX file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("mayfly.sxcu");
  expect(JSON.parse(await readFile(await download.path(), "utf8"))).toMatchObject({
    RequestURL: `${baseURL}/{filename}`,
    Headers: { Authorization: `Bearer ${key}` },
  });
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Make a key" })).toBeFocused();

  await expect(page.getByText(`mayfly_…${key.slice(-4)}`)).toBeVisible();
  await expect(page.getByText("Send files · List your files")).toBeVisible();
  await expect(page.getByText("Not used yet · Does not run out")).toBeVisible();
  await expect(page.getByText("60 calls a minute · 2 GB a month")).toBeVisible();
  expect(await page.content()).not.toContain(key);
  const me = await page.request.get("/api/v1/me", { headers: { authorization: `Bearer ${key}` } });
  expect(await me.json()).toMatchObject({ key: { name: "Backups", limits: { callsPerMinute: 60 } } });
  // It is noted after the answer.
  const lastUse = async () => {
    const [listed] = (await (await page.request.get("/api/keys")).json()) as { lastUsedAt: string | null }[];
    return listed?.lastUsedAt;
  };
  await expect.poll(lastUse).toMatch(/^\d{4}-/);
  await page.reload();
  await expect(page.getByText(/^Last used .* from .* · Does not run out$/)).toBeVisible();
  await expectAccessible(page, "keys");

  await page.getByRole("button", { name: "Change Backups" }).click();
  await expect(dialog.getByLabel("Most in a month, in MB")).toHaveValue("2048");
  await dialog.getByLabel("Name").fill("Nightly backups");
  await dialog.getByLabel("Most in a month, in MB").fill("");
  await dialog.getByLabel("Largest file, in MB").fill("5");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Key saved");
  await expect(page.getByText("60 calls a minute · Files up to 5 MB")).toBeVisible();

  await page.getByRole("button", { name: "Revoke Nightly backups" }).click();
  await expectAccessible(page, "key-revoke");
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expectToast(page, "Key revoked");
  await expect(page.getByText("You have no API key yet.")).toBeVisible();
  const refused = await page.request.get("/api/v1/me", { headers: { authorization: `Bearer ${key}` } });
  expect(refused.status()).toBe(401);
});

test("a size that was set by a call stays to the byte when only the name is changed", async ({ page }) => {
  await signUpByApi(page);
  const limits = { monthBytes: 1_500_000 };
  const made = await page.request.post("/api/keys", { data: { name: "Odd", scopes: ["upload"], limits } });
  expect(made.status()).toBe(201);
  await page.goto("/account");
  await page.getByRole("button", { name: "Change Odd" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Most in a month, in MB")).toHaveValue("1");
  await dialog.getByLabel("Name").fill("Even");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Key saved");
  const keys: unknown = await (await page.request.get("/api/keys")).json();
  expect(keys).toMatchObject([{ name: "Even", limits: { callsPerMinute: 300, monthBytes: 1_500_000 } }]);
});

test("with all keys of the plan, the section says so instead of its button [KEY-17]", async ({ page }) => {
  await signUpByApi(page);
  for (let n = 1; n <= 5; n += 1) {
    await page.request.post("/api/keys", { data: { name: `Server ${n}`, scopes: ["upload"] } });
  }
  await page.goto("/account");
  await expect(page.getByText("Your plan has 5 API keys. Revoke one to make another.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make a key" })).toHaveCount(0);
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("the section, the warning and the new key are in German too [KEY-17]", async ({ page }) => {
    await signUpByApi(page);
    await page.goto("/account");
    await page.getByRole("button", { name: "Schlüssel erstellen" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Datensicherung");
    await dialog.getByLabel("Wie lange er gilt").selectOption("Bis du ihn widerrufst");
    await expect(dialog.getByText(/Ein Schlüssel, der abläuft, ist sicherer\./)).toBeVisible();
    await dialog.getByRole("button", { name: "Schlüssel erstellen" }).click();
    await expect(dialog.getByLabel("Schlüssel", { exact: true })).toHaveValue(/^mayfly_/);
    await dialog.getByRole("button", { name: "Fertig" }).click();
    await expect(page.getByText("Noch nicht benutzt · Läuft nicht ab")).toBeVisible();
    await expectAccessible(page, "keys-de");
  });
});
