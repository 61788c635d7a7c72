import { MIB } from "#domain/units.ts";
import { MEMORY_LIMIT_BYTES, watchMemory } from "../../soak/memory.ts";
import { chooseFile, sparseFile } from "./support/files.ts";
import { expect, test } from "./support/fixtures.ts";
import { signUp } from "./support/accounts.ts";

test("uploading a large file does not load it into the tab's memory", async ({ page }) => {
  await signUp(page);
  const path = await sparseFile("larger-than-memory.bin", 256 * MIB);
  const { max } = await watchMemory(page, async () => {
    await chooseFile(page, path);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Ready to share" })).toBeVisible({ timeout: 120_000 });
  });
  expect(max.residentBytes).toBeGreaterThan(0);
  expect(max.residentBytes).toBeLessThan(MEMORY_LIMIT_BYTES);
});
