import { CALL_LIMITS } from "#domain/rate-limits.ts";
import { expectAccessible } from "#test/e2e/support/axe.ts";
import { expect, test } from "#test/e2e/support/fixtures.ts";
import { logIn, newEmail } from "#test/e2e/support/accounts.ts";

/** The server's rate limits are on. No other test uses this address. */
test.use({ extraHTTPHeaders: { "cf-connecting-ip": "198.51.100.7" } });

const TOO_OFTEN = /^Too many attempts\. Please wait \d+ (seconds?|minutes) and try again\.$/;
const ZU_OFT = /^Zu viele Versuche\. Bitte warte \d+ (Sekunden?|Minuten) und versuche es dann noch einmal\.$/;

test("too many logins, messages or unknown links show how long to wait [LIM-2]", async ({ page, expectErrors }) => {
  test.slow();
  expectErrors(/404|429/);
  const credentials = { email: newEmail(), password: "not this one" };
  const message = { name: "Ada", email: credentials.email, subject: "Hello", message: "Are you there at all?" };
  // In parallel: sequential calls could take longer than the limit's minute.
  const useUp = (count: number, call: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, call));

  await page.goto("/login");
  await useUp(CALL_LIMITS.login[0].maxCalls, () => page.request.post("/api/auth/login", { data: credentials }));
  await logIn(page, credentials.email, credentials.password);
  await expect(page.getByText("Login failed", { exact: true })).toBeVisible();
  await expect(page.getByText(TOO_OFTEN)).toBeVisible();
  await expectAccessible(page, "too-often-login");

  await useUp(CALL_LIMITS.contact[0].maxCalls, () => page.request.post("/api/contact", { data: message }));
  await page.goto("/contact");
  await page.getByLabel("Name").fill(message.name);
  await page.getByLabel("Email").fill(message.email);
  await page.getByLabel("Subject").fill(message.subject);
  await page.getByLabel("Message", { exact: true }).fill(message.message);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(TOO_OFTEN)).toBeVisible();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue(message.message);
  await expectAccessible(page, "too-often-contact");

  const nowhere = "/download/AAAAAAAAAAAAAAAAAAAAAA";
  await useUp(CALL_LIMITS.unknownDownload[0].maxCalls, () => page.request.get(nowhere));
  const response = await page.goto(nowhere);
  expect([response?.status(), Number(await response?.headerValue("retry-after"))]).toEqual([429, expect.any(Number)]);
  await expect(page.getByRole("heading", { name: "One moment, please" })).toBeVisible();
  await expect(page.getByText(TOO_OFTEN)).toBeVisible();
  await expectAccessible(page, "too-often-download");
  await page.getByLabel("Language").selectOption("de");
  await expect(page.getByText(ZU_OFT)).toBeVisible();
});
