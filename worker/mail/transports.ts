import type { Database } from "../db/client.ts";
import { saveLocalMail } from "../db/mail.ts";
import type { MailSettings } from "../settings.ts";
import { createCloudflareTransport } from "./cloudflare.ts";
import type { MailTransport } from "./mail.ts";
import { createResendTransport } from "./resend.ts";

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
