import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Client, logInAdmin, signUp } from "#test/support/worker.ts";
import { sendTestEmail } from "#worker/diagnostics/diagnostics.ts";
import { readLocalMailbox } from "#worker/mail/local-mailbox.ts";
import { servicesFor } from "#worker/services.ts";

const visitor = new Client();
const services = servicesFor(env);
const ADMIN = { userId: null, username: "admin" };

describe("the test mail", () => {
  it("only administrators can send the test mail; others get 403 and nothing is sent [DIAG-6]", async () => {
    for (const client of [visitor, await signUp()]) {
      for (const path of ["/api/diagnostic/send-test-email", "/api/diagnostics/send-test-email"]) {
        const response = await client.post(path, { email: "nobody@example.com" });
        expect([response.status, await response.json()]).toEqual([
          403,
          expect.objectContaining({ code: "ADMIN_REQUIRED" }),
        ]);
      }
    }
    expect((await readLocalMailbox(services))?.some(({ to }) => to === "nobody@example.com")).toBe(false);
  });

  it.each([
    ["en", "The test email was sent successfully. Check the specified inbox."],
    ["de", "Die Test-E-Mail wurde gesendet. Sieh im angegebenen Postfach nach."],
  ])(
    "the test mail is sent immediately, and the answer is in the administrator's language: %s [API-55]",
    async (language, message) => {
      const admin = await logInAdmin();
      const email = `ops-${language}@example.com`;
      const response = await admin.fetch("/api/diagnostic/send-test-email", {
        method: "POST",
        headers: { "content-type": "application/json", "accept-language": language },
        body: JSON.stringify({ email }),
      });
      expect([response.status, await response.json()]).toEqual([200, { message }]);
      expect((await readLocalMailbox(services))?.find(({ to }) => to === email)?.subject).toMatch(/^Test/);
    },
  );

  it("a test mail that the provider rejects is reported as failed [API-55]", async () => {
    const down = { MAIL_TRANSPORT: "resend", RESEND_API_URL: "http://127.0.0.1:9", RESEND_API_KEY: "k" };
    await expect(
      sendTestEmail(servicesFor({ ...env, ...down }), ADMIN, "ops@example.com", "en", Date.now()),
    ).rejects.toMatchObject({
      code: "TEST_MAIL_FAILED",
      message: "There was an error sending the test email. Check the logs for details.",
    });
  });
});
