import type { EmailAddress, SendEmail } from "@cloudflare/workers-types";
import { parseSender } from "#domain/email-address.ts";
import type { MailTransport } from "./mail.ts";

/** See https://developers.cloudflare.com/email-service/api/send-emails/workers-api/. @throws Error if `from` is invalid */
export function createCloudflareTransport(from: string, binding: Pick<SendEmail, "send"> | undefined): MailTransport {
  const sender = senderOf(from);
  return {
    async send({ to, subject, html, text, headers }) {
      if (!binding) throw new Error("MAIL_TRANSPORT is cloudflare, but there is no SEND_EMAIL binding");
      await binding.send({ from: sender, to, subject, html, text, ...(headers && { headers }) });
    },
  };
}

/** The binding's documentation does not allow a name and an address in one string. */
function senderOf(from: string): string | EmailAddress {
  const sender = parseSender(from);
  if (sender === null) throw new Error("MAIL_FROM must be an address, or a name and an address in angle brackets");
  return sender.name === "" ? sender.email : sender;
}
