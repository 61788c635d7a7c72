import { expect, test } from "../support/fixtures.ts";
import { findMailedLink } from "../support/mailbox.ts";
import { enterBy, newName } from "../support/providers.ts";
import { expectToast } from "../support/waiting.ts";

test("where mails sign nobody in, the dialog does not offer it, and the only provider stays", async ({
  page,
  openBrowser,
  expectErrors,
}) => {
  await page.goto("/login");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("link", { name: "Continue with The club" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Email me a link" })).toHaveCount(0);
  const name = newName();
  await enterBy(page, "The club", name);
  // This provider is not trusted to prove addresses.
  const reader = await openBrowser();
  await reader.goto(await findMailedLink(reader, `${name}@example.com`, /Confirm your email address/));
  await expect(reader.getByRole("heading", { name: "Your email address is confirmed" })).toBeVisible();
  // The provider remembers who is signed in there.
  await page.goto("/login");
  await dialog.getByRole("link", { name: "Continue with The club" }).click();
  await expect(page).toHaveURL("/dashboard");
  await page.goto("/account/security");
  expectErrors(/409/);
  await page.getByRole("button", { name: "Disconnect The club" }).click();
  await page
    .getByRole("dialog", { name: "Disconnect The club?" })
    .getByRole("button", { name: "Disconnect", exact: true })
    .click();
  await expectToast(page, "Could not disconnect it", "This is the last way into your account. Add another one first.");
  await expect(page.getByRole("button", { name: "Disconnect The club" })).toBeVisible();
});
