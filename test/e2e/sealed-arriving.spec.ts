import { signUpByApi } from "./support/accounts.ts";
import { expect, test } from "./support/fixtures.ts";
import { sealTransfer, startSealedTransfer } from "./support/sealed-links.ts";
import { saved } from "./support/sealed-page.ts";
import { TRIP } from "./support/sealed-trip.ts";

test("what is being decrypted when a transfer ends goes on [SEAL-30]", async ({ page, openBrowser }) => {
  await signUpByApi(page);
  const transfer = await startSealedTransfer(page.request, TRIP);
  await transfer.send(1);
  const stranger = await openBrowser();
  const held = Promise.withResolvers<undefined>();
  await stranger.route("**/entries/1/content", async (route) => {
    await held.promise;
    await route.continue();
  });
  await stranger.goto(transfer.link);
  await stranger.getByRole("button", { name: "route.txt", exact: true }).click();
  await expect(stranger.getByText("Decrypting on this device, 0 %.")).toBeVisible();
  await transfer.send(0, 2, 3);
  await transfer.end();
  await expect(stranger.getByRole("button", { name: /^Download all \(ZIP, / })).toBeVisible();
  const file = await saved(stranger, () => {
    held.resolve(undefined);
    return Promise.resolve();
  });
  expect(file.bytes.toString()).toBe("Lisbon, then Porto");
});

test("the page says what the server holds and the sender's list does not name [SEAL-38]", async ({
  page,
  openBrowser,
}) => {
  await signUpByApi(page);
  const transfer = await sealTransfer(page.request, TRIP);
  const files = transfer.manifest.files.filter(({ stream }) => stream !== 2);
  await transfer.putManifest({ ...transfer.manifest, final: true, files });
  const stranger = await openBrowser();
  await stranger.goto(transfer.link);
  await expect(stranger.getByRole("status").filter({ hasText: "does not name" })).toHaveText(
    /^The server holds 1 file that the sender's list does not name\./,
  );
  await expect(stranger.getByRole("row", { name: "beach.png" })).toHaveCount(0);
});
