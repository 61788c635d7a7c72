import type { ReactElement } from "react";
import type { RenderedMail } from "../db/mail.ts";

export interface Message {
  to: string;
  subject: string;
  body: ReactElement;
  /** Besides the usual ones, by name. */
  headers?: Record<string, string>;
}

export interface MailTransport {
  /** @throws Error if the provider does not accept the mail */
  send(mail: RenderedMail): Promise<void>;
}
