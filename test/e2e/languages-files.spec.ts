import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";
import { PASSWORD, signUpByApi } from "./support/accounts.ts";
import { uploadByApi } from "./support/sharing.ts";

test.use({ locale: "de-DE" });

test("the download page's countdown, preview, report and expiry are in German", async ({ page, expectErrors }) => {
  await signUpByApi(page);
  const id = await uploadByApi(page, { name: "notiz.txt", type: "text/plain", body: "x".repeat(1536) });
  await page.goto(`/download/${id}`);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.getByText("Deine Datei ist bereit")).toBeVisible();
  await expect(page.getByText("1,5 KB")).toBeVisible();
  await expect(page.getByText(/^Läuft am \d{2}\.\d{2}\.\d{4}, \d{2}:\d{2} ab$/)).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^Noch 23 Std\. 59 Min\.$/);
  await expect(page.getByRole("link", { name: "Herunterladen", exact: true })).toBeVisible();
  await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", "Eine geteilte Datei, 1,5\u00a0KB");
  await page.getByText("Download prüfen").click();
  await expect(page.getByRole("button", { name: "Heruntergeladene Datei wählen" })).toBeVisible();
  await page.getByRole("button", { name: "Vorschau" }).click();
  await expect(page.getByRole("region", { name: "Vorschau" }).getByText("xxx")).toBeVisible();

  await page.getByRole("button", { name: "Datei melden" }).click();
  const dialog = page.getByRole("dialog", { name: "Datei melden" });
  await dialog.getByRole("button", { name: "Meldung senden" }).click();
  await expect(dialog.getByText("Bitte wähle aus, was mit dieser Datei nicht stimmt.")).toBeVisible();
  await dialog.getByLabel("Urheberrecht").check();
  await dialog.getByRole("button", { name: "Meldung senden" }).click();
  await expect(page.getByRole("dialog", { name: "Danke" })).toBeVisible();

  await query(`update files set expires_at = ${Date.now()} where download_id = '${id}'`);
  expectErrors(/410/);
  await page.goto(`/download/${id}`);
  await expect(page).toHaveTitle(/^Datei nicht mehr verfügbar · /);
  await expect(page.getByRole("heading", { name: "Datei nicht mehr verfügbar" })).toBeVisible();
  await expect(page.getByText("Diese Datei ist abgelaufen und kann nicht mehr heruntergeladen werden.")).toBeVisible();
});

test("the dashboard's files, their actions and an unfinished upload are in German", async ({ page }) => {
  await signUpByApi(page);
  await page.goto("/dashboard");
  await expect(page).toHaveTitle(/^Übersicht · /);
  await expect(page.getByText("Du hast noch keine Dateien.")).toBeVisible();

  await uploadByApi(page, { name: "eins.pdf", type: "application/pdf", body: "x" });
  await uploadByApi(page, { name: "zwei.pdf", type: "application/pdf", body: "xy" });
  const data = { filename: "halb.bin", fileType: "", fileSize: 1024 ** 2 * 1.5, expiration: "1d" };
  expect((await page.request.post("/api/direct-upload/presigned-url", { data })).ok()).toBe(true);
  const socketOpen = page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await page.reload();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "eins.pdf" });
  await expect(row).toContainText("1 Bytes · Heute · 0 Downloads");
  await expect(page.getByLabel("Sortieren nach").getByRole("option", { name: "Größte zuerst" })).toBeAttached();
  await page.getByLabel("Deine Dateien durchsuchen").fill("drei");
  await expect(page.getByText("Kein Dateiname enthält „drei“.")).toBeVisible();
  await page.getByLabel("Deine Dateien durchsuchen").fill("");

  await row.getByRole("button", { name: "Weitere Aktionen für eins.pdf" }).click();
  await page.getByRole("menuitem", { name: "Ablaufdatum ändern" }).click();
  const expiry = page.getByRole("dialog", { name: "Ablaufdatum ändern" });
  await expect(expiry).toContainText(/Aktuell: läuft am \d{2}\.\d{2}\.\d{4}, \d{2}:\d{2} ab\./);
  await expect(expiry.getByRole("link", { name: "mit Professional" }).first()).toBeVisible();
  await expiry.getByLabel("6 Stunden").check();
  await expiry.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Ablaufdatum geändert", { exact: true })).toBeVisible();

  await row.getByRole("button", { name: "Weitere Aktionen für eins.pdf" }).click();
  await page.getByRole("menuitem", { name: "Umbenennen" }).click();
  await page.getByLabel("Dateiname").fill("a/b");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Der Dateiname darf keine Schrägstriche")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Schließen" }).click();

  await expect(page.getByText("0 % von 1,5 MB")).toBeVisible();
  // Closing a socket while it opens logs an error.
  await socketOpen;
  await page.getByRole("button", { name: "halb.bin verwerfen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Verwerfen" }).click();
  await expect(
    page.getByText("Der bereits hochgeladene Teil von halb.bin wurde gelöscht.", { exact: true }),
  ).toBeVisible();
});

test("signing up, logging in, their errors and the account page are in German", async ({ page, expectErrors }) => {
  expectErrors(/400|401|409/);
  const email = await signUpByApi(page);
  await page.goto("/account");
  await expect(page).toHaveTitle(/^Konto · /);
  const form = page.getByRole("main").locator("form").nth(0);
  await form.getByLabel("Neue E-Mail-Adresse").fill(email);
  await form.getByRole("button", { name: "Adresse ändern" }).click();
  await expect(page.getByText("Das ist bereits deine E-Mail-Adresse.", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Sicherheit" }).click();
  await expect(page.getByText(/^Seit \d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}/)).toBeVisible();
  await page.getByRole("banner").getByRole("button", { name: "Abmelden" }).click();

  await page.getByRole("banner").getByRole("button", { name: "Registrieren" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-Mail-Adresse").fill(email);
  await dialog.getByLabel("Passwort", { exact: true }).fill("12345");
  await dialog.getByLabel("Passwort wiederholen").fill("123456");
  await dialog.getByRole("button", { name: "Konto anlegen" }).click();
  await expect(dialog.getByLabel("Passwort", { exact: true })).toHaveAccessibleDescription(/mindestens 6 Zeichen/);
  await dialog.getByLabel("Passwort", { exact: true }).fill("123456");
  await dialog.getByRole("button", { name: "Konto anlegen" }).click();
  await expect(page.getByText("E-Mail-Adresse bereits vergeben", { exact: true })).toBeVisible();

  await expect(dialog.getByRole("heading", { name: "Willkommen zurück" })).toBeVisible();
  await dialog.getByLabel("Passwort").fill("a wrong password");
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  const wrong = "Das Passwort ist falsch. Bitte versuche es noch einmal oder nutze „Passwort vergessen?“.";
  await expect(page.getByText(wrong, { exact: true })).toBeVisible();
  await dialog.getByLabel("Passwort").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await expect(page.getByText("Du bist angemeldet", { exact: true })).toBeVisible();

  await page.goto("/reset-password?token=x");
  await page.getByLabel("Neues Passwort", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Neues Passwort wiederholen").fill(PASSWORD);
  await page.getByRole("button", { name: "Passwort festlegen" }).click();
  await expect(page.getByRole("alert")).toHaveText(/^Dieser Link wurde bereits verwendet/);
});
