import { ADMIN, insertFile, createUser, tableRow } from "./support/admin.ts";
import { expect, test } from "./support/fixtures.ts";

test.use({ locale: "de-DE" });

test("the admin area's login, users, dialogs, overview and load errors are in German", async ({
  page,
  request,
  expectErrors,
}) => {
  expectErrors(/401|ERR_FAILED/);
  const { id, email } = await createUser(request);
  await insertFile({ userId: id, filename: "bericht.pdf" });
  await request.get("/cdn-cgi/handler/scheduled");
  await page.goto("/admin");
  await expect(page).toHaveTitle(/^Verwaltung · /);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.getByLabel("Benutzername").fill(ADMIN.username);
  await page.getByLabel("Passwort").fill("falsch");
  await page.getByRole("main").getByRole("button", { name: "Anmelden" }).click();
  await expect(page.getByText("Anmeldung fehlgeschlagen", { exact: true })).toBeVisible();
  await page.getByLabel("Passwort").fill(ADMIN.password);
  await page.getByRole("main").getByRole("button", { name: "Anmelden" }).click();
  await expect(page.getByText("Angemeldet als", { exact: false })).toBeVisible();

  await page.getByLabel("Nutzer durchsuchen").fill(email);
  await expect(page.getByText("1 Nutzer", { exact: true })).toBeVisible();
  const row = tableRow(page, id);
  await expect(row).toContainText(/\d{2}\. \S+ \d{4}/);
  await row.getByRole("button", { name: "Tarif ändern" }).click();
  const plans = page.getByRole("dialog", { name: "Tarif ändern" });
  await expect(plans).toContainText("Das ersetzt ein bestehendes Abo mit Kartenzahlung und gilt sofort.");
  await plans.getByLabel("Ultimate").check();
  await plans.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText(`${email} hat jetzt den Tarif Ultimate.`, { exact: true })).toBeVisible();
  await row.getByRole("button", { name: "Löschen" }).click();
  await expect(page.getByRole("dialog", { name: "Diesen Nutzer löschen?" })).toBeVisible();
  await page.getByRole("button", { name: "Abbrechen" }).click();

  await row.getByRole("link", { name: "Dateien" }).click();
  await expect(page.getByText("1 Datei", { exact: true })).toBeVisible();
  await expect(tableRow(page, "bericht.pdf")).toContainText("Aktiv");
  await tableRow(page, "bericht.pdf").getByRole("button", { name: "Sperren" }).click();
  const takeDown = page.getByRole("dialog", { name: "Diese Datei sperren?" });
  await takeDown.getByRole("button", { name: "Sperren" }).click();
  await expect(takeDown.getByLabel("Grund")).toHaveAccessibleDescription(/Bitte gib einen Grund für die Sperrung an/);
  await takeDown.getByRole("button", { name: "Schließen" }).click();

  await page.getByRole("tab", { name: "Überblick" }).click();
  const stored = page.getByRole("figure", { name: "Gespeicherte Bytes nach Tarif" });
  await expect(stored.getByRole("columnheader").first()).toHaveText("Tag");
  await expect(page.getByLabel("Zeitraum").getByRole("option").first()).toHaveText("Die letzten 7 Tage");

  await page.route(/\/admin\/dashboard\.data/, (route) => route.abort());
  await page.getByRole("tab", { name: "Protokoll" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "Das Protokoll konnte nicht geladen werden" });
  await expect(notice).toContainText("Bitte versuche es gleich noch einmal.");
  await page.unroute(/\/admin\/dashboard\.data/);
  await notice.getByRole("button", { name: "Noch einmal versuchen" }).click();
  await expect(page.getByRole("region", { name: "Protokoll" }).first()).toBeVisible();
});

test("the admin area's messages, SEO, texts, reports, logs, sweep and reconciliation are in German", async ({
  page,
}) => {
  const data = { name: "Anna", email: "anna@example.com", subject: "Eine Frage", message: "Wie lange bleibt das?" };
  expect((await page.request.post("/api/contact", { data })).ok()).toBe(true);
  expect((await page.request.post("/api/admin/login", { data: ADMIN })).ok()).toBe(true);
  const open = (tab: string) => page.goto(`/admin/dashboard?tab=${tab}`);

  await open("contact");
  await expect(page.getByText(/^[\d.]+ Nachricht(en)?, [\d.]+ neu$/)).toBeVisible();
  await tableRow(page, "Eine Frage").first().getByRole("button", { name: "Ansehen" }).click();
  await expect(page.getByRole("link", { name: "Per E-Mail antworten" })).toBeVisible();
  await expect(page.getByText("Nachricht als gelesen markiert", { exact: true })).toBeVisible();

  await open("seo");
  await page.getByRole("link", { name: "SEO-Angaben hinzufügen" }).click();
  await page.getByLabel("Bild für Open Graph (optional)").fill("bild.png");
  await page.getByRole("button", { name: "Anlegen" }).click();
  await expect(page.getByLabel("Stichwörter")).toHaveAccessibleDescription(/Die Stichwörter fehlen/);
  await expect(page.getByLabel("Bild für Open Graph (optional)")).toHaveAccessibleDescription(
    /muss mit https:\/\/, http:\/\/ oder \/ beginnen/,
  );
  await open("content");
  await page.getByRole("link", { name: "Seite hinzufügen" }).click();
  await page.getByLabel("Inhalt", { exact: true }).fill("**Fett**");
  await expect(page.getByRole("region", { name: "Vorschau" }).locator("strong")).toHaveText("Fett");
  await page.getByLabel("Kürzel").fill("Über uns");
  await page.getByRole("button", { name: "Anlegen" }).click();
  await expect(page.getByLabel("Kürzel")).toHaveAccessibleDescription(/Das Kürzel darf nur Kleinbuchstaben/);

  await open("reports&file=nichts");
  await expect(page.getByText("Keine Datei gefunden.")).toBeVisible();
  await open("uploads&status=rejected&to=2020-01-01");
  await expect(page.getByText("Kein Upload passt zu diesen Filtern.")).toBeVisible();
  await open("audit");
  await expect(page.getByRole("columnheader", { name: "Administrator" })).toBeAttached();
  await open("sweep");
  await expect(page.getByRole("heading", { name: "Abgleich" })).toBeVisible();
});
