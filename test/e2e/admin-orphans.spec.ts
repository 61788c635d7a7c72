import { ADMIN, expectToast, openAdmin, tableRow, tab } from "./support/admin.ts";
import { query } from "./support/database.ts";
import { expect, test } from "./support/fixtures.ts";

/** Inserts the state that the cron leaves after a reconciliation that stopped because of too many orphans. */
async function addStoppedReconciliation(orphans: number): Promise<void> {
  const at = Date.now();
  const rows = Array.from({ length: orphans }, (_, index) => `('files/e2e-${at}-${index}', 1048576, ${at})`);
  await query("delete from suspected_orphans");
  await query(`insert into suspected_orphans (s3_key, size_bytes, first_seen_at) values ${rows.join(", ")}`);
  await query(
    `insert into reconciliations (id, started_at, finished_at, stopped_at, cursor) values ('e2e-${at}', ${at}, ${at}, ${at}, '')`,
  );
}

// The tests share one table of orphans.
test.describe.configure({ mode: "default" });

test.afterEach(async () => {
  await query("delete from suspected_orphans");
  await query("delete from reconciliations where id like 'e2e-%'");
});

test("the overview warns about orphans, and an administrator approves their deletion @everyday", async ({ page }) => {
  await addStoppedReconciliation(12);
  await openAdmin(page, "?tab=overview");
  const notice = page.getByRole("alert").filter({ hasText: "Objects without a file" });
  await expect(notice).toContainText("12 objects in storage (12 MB) belong to no file in the database.");
  await expect(notice).toContainText("They were not deleted, and will not be unless you confirm it.");
  await expect(notice).toContainText("This may be the wrong database, or one that was restored to an earlier moment.");
  await page.getByRole("button", { name: "Confirm deletion" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete these objects?" });
  await expect(dialog).toContainText(
    "You confirm the deletion of 12 objects. Each is deleted a week after it was first noticed",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Confirm deletion" }).click();
  await dialog.getByRole("button", { name: "Delete objects" }).click();
  await expectToast(page, "Deletion confirmed", "The objects are deleted a week after they were first noticed.");
  await expect(notice).toBeHidden();
  expect(await query("select count(*) as n from suspected_orphans where approved_at is not null")).toEqual([{ n: 12 }]);
  await tab(page, "Audit").click();
  await page.getByLabel("Action").selectOption("orphans.approve");
  await expect(tableRow(page, "orphans.approve").first()).toContainText("first seen until");
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("the orphan notice and its dialog are translated", async ({ page }) => {
    await addStoppedReconciliation(1);
    expect((await page.request.post("/api/admin/login", { data: ADMIN })).ok()).toBe(true);
    await page.goto("/admin/dashboard?tab=overview");
    const notice = page.getByRole("alert").filter({ hasText: "Objekte ohne Datei" });
    await expect(notice).toContainText("1 Objekt im Speicher (1 MB) gehört zu keiner Datei in der Datenbank.");
    await page.getByRole("button", { name: "Löschen bestätigen" }).click();
    await expect(page.getByRole("dialog", { name: "Diese Objekte löschen?" })).toContainText(
      "Damit bestätigst du das Löschen von 1 Objekt.",
    );
  });
});
