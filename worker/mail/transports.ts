import type { Database } from "../db/client.ts";
import { keepLocalMail } from "../db/mail.ts";
import type { MailSettings } from "../settings.ts";
import { throughCloudflare } from "./cloudflare.ts";
import type { MailTransport } from "./mail.ts";
import { throughResend } from "./resend.ts";

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
