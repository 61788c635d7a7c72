import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { inspect } from "#test/e2e/support/axe.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";
import { logIn, newEmail } from "#test/e2e/support/accounts.ts";

/** Against the server that limits calls, from an address that nobody else calls from. */
test.use({ extraHTTPHeaders: { "cf-connecting-ip": "198.51.100.7" } });

const TOO_OFTEN = /^That was too often\. Please wait \d+ (seconds?|minutes) and try again\.$/;
const ZU_OFT = /^Das war zu oft\. Bitte warte \d+ (Sekunden?|Minuten), und versuche es dann noch einmal\.$/;

test("who tries too many passwords, messages or links is told how long to wait", async ({ page, expectErrors }) => {
  test.slow();
  expectErrors(/404|429/);
  const credentials = { email: newEmail(), password: "not this one" };
  const message = { name: "Ada", email: credentials.email, subject: "Hello", message: "Are you there at all?" };
  // At once: one after the other they could take longer than the limit's minute.
  const useUp = (most: number, call: () => Promise<unknown>) => Promise.all(Array.from({ length: most }, call));

  await page.goto("/login");
  await useUp(CALL_LIMITS.login[0].maxCalls, () => page.request.post("/api/auth/login", { data: credentials }));
  await logIn(page, credentials.email, credentials.password);
  await expect(page.getByText("Login failed", { exact: true })).toBeVisible();
  await expect(page.getByText(TOO_OFTEN)).toBeVisible();
  await inspect(page, "too-often-login");

  await useUp(CALL_LIMITS.contact[0].maxCalls, () => page.request.post("/api/contact", { data: message }));
  await page.goto("/contact");
  await page.getByLabel("Name").fill(message.name);
  await page.getByLabel("Email").fill(message.email);
  await page.getByLabel("Subject").fill(message.subject);
  await page.getByLabel("Message", { exact: true }).fill(message.message);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(TOO_OFTEN)).toBeVisible();
  // What was written is still there.
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(message.message);
  await inspect(page, "too-often-contact");

  const nowhere = "/download/AAAAAAAAAAAAAAAAAAAAAA";
  await useUp(CALL_LIMITS.unknownDownload[0].maxCalls, () => page.request.get(nowhere));
  const refused = await page.goto(nowhere);
  expect([refused?.status(), Number(await refused?.headerValue("retry-after"))]).toEqual([429, expect.any(Number)]);
  await expect(page.getByRole("heading", { name: "One moment, please" })).toBeVisible();
  await expect(page.getByText(TOO_OFTEN)).toBeVisible();
  await inspect(page, "too-often-download");
  await page.getByLabel("Language").selectOption("de");
  await expect(page.getByText(ZU_OFT)).toBeVisible();
});
