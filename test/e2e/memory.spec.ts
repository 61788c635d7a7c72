import { MIB } from "#domain/units.ts";
import { MEMORY_LIMIT_BYTES, sparseFile, watchMemory } from "../../soak/memory.ts";
import { choose } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";

test("a file does not have to fit into the tab's memory to be sent", async ({ page }) => {
  test.setTimeout(180_000);
  await signUp(page);
  const path = await sparseFile(".tmp/files/larger-than-memory.bin", 256 * MIB);
  const { most } = await watchMemory(page, async () => {
    await choose(page, path);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 120_000 });
  });
  expect(most.residentBytes).toBeGreaterThan(0);
  expect(most.residentBytes).toBeLessThan(MEMORY_LIMIT_BYTES);
});
