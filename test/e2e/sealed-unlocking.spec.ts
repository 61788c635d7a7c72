import { signUpByApi } from "./support/accounts.ts";
import { expect, test } from "./support/fixtures.ts";
import { sealFile } from "./support/sealed-links.ts";

test("a password that was changed while its field was shown opens the link", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await signUpByApi(page);
  const notes = { name: "plan.txt", type: "text/plain", body: "the secret plan" };
  const { link, setPassword } = await sealFile(page.request, { streams: [[notes]], password: "open sesame" });
  const stranger = await openBrowser();
  await stranger.goto(link);
  const field = stranger.getByLabel("Password", { exact: true });
  await expect(field).toBeVisible();
  await setPassword("open barley");
  expectErrors(/401|403/);
  await field.fill("open barley");
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("heading", { name: "plan.txt" })).toBeVisible();
});
