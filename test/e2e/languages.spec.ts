import type { Page } from "@playwright/test";
import { randomFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUpByApi } from "./support/accounts.ts";

test.use({ locale: "de-DE" });

async function expectToast(page: Page, title: string, description: string): Promise<void> {
  await expect(page.getByText(title, { exact: true })).toBeVisible();
  await expect(page.getByText(description, { exact: true })).toBeVisible();
}

async function expectGerman(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
}

test("the upload card is in German, and an upload's error follows a change of the language @everyday", async ({
  page,
  expectErrors,
}) => {
  expectErrors(/400/);
  await signUpByApi(page);
  await expectGerman(page, "/", "Schick eine Datei. Sag, bis\u00a0wann.");
  await expect(page.getByText("Datei auswählen oder hier ablegen")).toBeVisible();
  await expect(page.getByLabel("Link gültig für")).toHaveValue("3d");
  await expect(page.getByLabel("Link gültig für").getByRole("option")).toContainText([
    "3 Minuten",
    "6 Stunden",
    "1 Tag",
  ]);
  await expect(page.getByLabel("Link gültig für").getByRole("option").nth(8)).toHaveText("Für immer – Tarif Ultimate");
  await expect(page.getByLabel("Link gültig für").getByRole("option").last()).toHaveText("An einem Datum\u00a0…");

  await page.route("**/api/direct-upload/presigned-url", (route) => route.fulfill({ status: 400, body: "oops" }));
  await page.getByLabel("Datei auswählen").setInputFiles(await randomFile("deutsch.bin", 1.5 * 1024));
  await expectToast(
    page,
    "Hochladen fehlgeschlagen",
    "Es konnte keine signierte Adresse zum Hochladen angefordert werden.",
  );
  await expect(page.getByRole("alert")).toContainText("deutsch.bin wurde nicht hochgeladen.");

  await page.getByLabel("Sprache").selectOption("en");
  await expect(page.getByRole("alert")).toContainText("deutsch.bin was not uploaded.");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await page.getByLabel("Language").selectOption("de");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  // Not earlier: a request that is on its way when the interception ends may never be answered.
  await page.unroute("**/api/direct-upload/presigned-url");
  await page.getByRole("button", { name: "Noch einmal versuchen" }).click();
  await expect(page.getByRole("heading", { name: "Bereit zum Teilen" })).toBeVisible();
  await expect(page.getByText("deutsch.bin · 1,5 KB")).toBeVisible();
  await expect(page.getByRole("button", { name: "Weitere Datei hochladen" })).toBeVisible();
});

test("the two upload pages and their request to sign in are in German", async ({ page }) => {
  await expectGerman(page, "/chunked-upload", "Große Dateien hochladen");
  await page.getByRole("tab", { name: "So funktioniert es" }).click();
  await expect(page.getByRole("tabpanel").getByRole("listitem")).toContainText(["Stücke von 256 KB"]);
  await page.getByRole("tab", { name: "In Stücken hochladen" }).click();
  await page.getByLabel("Datei auswählen").setInputFiles(await randomFile("besuch.bin", 2048));
  await expect(page.getByRole("dialog", { name: "Anmeldung erforderlich" })).toContainText("(2 KB)");
  await expectGerman(page, "/direct-upload", "Direkt zu S3 hochladen");
  await page.getByRole("button", { name: "S3-CORS manuell reparieren" }).click();
  await expectToast(
    page,
    "CORS-Einstellungen aktualisiert",
    "Der eingebaute Speicher braucht keine CORS-Einstellungen. Es gibt nichts zu reparieren.",
  );
});

test("a missing page and its title are in German", async ({ page, expectErrors }) => {
  expectErrors(/404/);
  await expectGerman(page, "/nichts/dergleichen", "Seite nicht gefunden");
  await expect(page).toHaveTitle(/^Seite nicht gefunden · /);
  await page.getByRole("main").getByRole("link", { name: "Preise" }).click();
  await expect(page).not.toHaveTitle(/^Seite nicht gefunden/);
});

test("the features page is in German, its structured data stays English", async ({ page }) => {
  await expectGerman(page, "/features", "Alles, was eine Datei unterwegs braucht");
  await page.getByText("Wie groß dürfen meine Dateien sein?").click();
  await expect(page.getByText("Bis zu 500 MB pro Datei mit Free")).toBeVisible();
  const head = await page.locator('script[type="application/ld+json"]').textContent();
  expect(head).toContain("Do I need an account to upload?");
});

test("plans, prices and billing are in German", async ({ page }) => {
  await signUpByApi(page);
  await expectGerman(page, "/pricing", "Mehr verschicken. Länger behalten.");
  const professional = page.getByRole("article", { name: "Professional" });
  await expect(professional).toContainText(/9,99\s\$im Monat/);
  await expect(professional).toContainText("Links, die 7 Tage, 30 Tage oder 60 Tage gelten");
  await professional.getByRole("button", { name: "Zu Professional wechseln" }).click();
  await expectToast(page, "Tarif geändert", "Dein Tarif ist jetzt Professional.");
  await page.getByRole("article", { name: "Free" }).getByRole("button", { name: "Zu Free wechseln" }).click();
  await expect(page.getByRole("dialog", { name: "Zu Free wechseln?" })).toContainText("Zum Monatsende, am ");

  await page.goto("/dashboard");
  const card = page.getByRole("complementary", { name: "Abonnement" });
  await expect(card).toContainText("0 von 200");
  await expect(card).toContainText(/Wird am \d+\. \p{L}+ \d{4} zurückgesetzt\./u);
  await page.goto("/account/billing-history");
  await expect(page).toHaveTitle(/^Rechnungen · /);
  await expect(page.getByText("Dein Tarif Professional wurde manuell eingerichtet")).toBeVisible();
});

test("the content pages' frame and the contact page are in German", async ({ page }) => {
  await page.goto("/terms");
  await expect(page.getByText(/Zuletzt geändert am \d+\. \p{L}+ \d{4}/u)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Wichtige Abschnitte" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Datenschutz" }).click();
  await expect(page.getByRole("heading", { name: "Deine Privatsphäre ist uns wichtig" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Über uns" }).click();
  await expect(page.getByRole("heading", { name: "Gemeinschaft" })).toBeVisible();
  await expectGerman(page, "/contact", "Schreib uns");
  await expect(page.getByText("Bis zu 1.000 Zeichen.")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Fragen und Antworten" })).toBeVisible();
  await expectGerman(page, "/email-diagnostic", "E-Mail-Test");
});
