import type { Database } from "../db/client.ts";
import { keepLocalMail } from "../db/mail.ts";
import type { MailSettings } from "../settings.ts";
import type { MailTransport } from "./mail.ts";

/** The transport that the settings choose (decisions, Mail). */
export function createTransport(settings: MailSettings, db: Database, binding: SendEmail | undefined): MailTransport {
  switch (settings.transport) {
    case "cloudflare":
      return throughCloudflare(settings.from, binding);
    case "resend":
      return throughResend(settings.from, settings.resendApiUrl, settings.resendApiKey);
    case "local":
      return { send: (mail) => keepLocalMail(db, mail, Date.now()) };
  }
}

function throughCloudflare(from: string, binding: SendEmail | undefined): MailTransport {
  return {
    async send({ to, subject, html, text }) {
      if (!binding) throw new Error("MAIL_TRANSPORT is cloudflare, but there is no SEND_EMAIL binding");
      await binding.send({ from, to, subject, html, text });
    },
  };
}

/** Resend's HTTP API: POST /emails, with the mail's id as its idempotency key, so a retry sends nothing twice. */
function throughResend(from: string, apiUrl: string, apiKey: string): MailTransport {
  return {
    async send({ id, to, subject, html, text }) {
      const response = await fetch(`${apiUrl}/emails`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          "idempotency-key": id,
        },
        body: JSON.stringify({ from, to: [to], subject, html, text }),
      });
      if (!response.ok) throw new Error(`the mail provider answered ${response.status}: ${await response.text()}`);
    },
  };
}
