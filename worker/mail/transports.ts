import type { EmailAddress, SendEmail } from "@cloudflare/workers-types";
import { parseSender } from "#domain/email-address.ts";
import type { Database } from "../db/client.ts";
import { saveLocalMail } from "../db/mail.ts";
import type { MailSettings } from "../settings.ts";
import { MailRefusedError, type MailTransport } from "./message.tsx";

export function createTransport(settings: MailSettings, db: Database, binding: SendEmail | undefined): MailTransport {
  switch (settings.transport) {
    case "cloudflare":
      return createCloudflareTransport(settings.from, binding);
    case "resend":
      return createResendTransport(settings.from, settings.resendApiUrl, settings.resendApiKey);
    case "local":
      return { send: (mail) => saveLocalMail(db, mail, Date.now()) };
  }
}

/**
 * The codes of errors that the address or the mail has caused. Other errors pass, such as limits, or end when an
 * operator corrects a setting (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/).
 */
const REFUSALS = /^E_(RECIPIENT_SUPPRESSED|VALIDATION_ERROR|FIELD_MISSING|CONTENT_TOO_LARGE|HEADERS?_\w+)$/;

/**
 * See https://developers.cloudflare.com/email-service/api/send-emails/workers-api/.
 * @throws Error if `from` is invalid
 */
export function createCloudflareTransport(from: string, binding: Pick<SendEmail, "send"> | undefined): MailTransport {
  const sender = senderOf(from);
  return {
    async send({ to, subject, html, text, headers }) {
      if (!binding) throw new Error("MAIL_TRANSPORT is cloudflare, but there is no SEND_EMAIL binding");
      try {
        await binding.send({ from: sender, to, subject, html, text, ...(headers && { headers }) });
      } catch (error) {
        const code = String(Reflect.get(Object(error) as object, "code"));
        throw REFUSALS.test(code) ? new MailRefusedError(`${code}: ${String(error)}`, { cause: error }) : error;
      }
    },
  };
}

/** Splits `from` into name and address, because the binding's documentation does not allow both in one string. */
function senderOf(from: string): string | EmailAddress {
  const sender = parseSender(from);
  if (sender === null) throw new Error("MAIL_FROM must be an address, or a name and an address in angle brackets");
  return sender.name === "" ? sender.email : sender;
}

/**
 * Whether Resend refuses the address or the mail. An error 422 says so, except the one that blames the sender's address
 * (https://resend.com/docs/api-reference/errors).
 */
function isRefusal(status: number, answer: string): boolean {
  return status === 422 && !answer.includes("invalid_from_address");
}

/** The mail's id is Resend's idempotency key, so a retry sends no second mail. @param apiUrl without a final slash */
export function createResendTransport(from: string, apiUrl: string, apiKey: string): MailTransport {
  return {
    async send({ id, to, subject, html, text, headers }) {
      const response = await fetch(`${apiUrl}/emails`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          "idempotency-key": id,
        },
        body: JSON.stringify({ from, to: [to], subject, html, text, ...(headers && { headers }) }),
      });
      if (response.ok) return;
      const answer = await response.text();
      const message = `the mail provider answered ${response.status}: ${answer}`;
      throw isRefusal(response.status, answer) ? new MailRefusedError(message) : new Error(message);
    },
  };
}
