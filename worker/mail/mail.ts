import type { ReactElement } from "react";

export interface Message {
  to: string;
  subject: string;
  body: ReactElement;
  /** Besides the usual ones, by name. */
  headers?: Record<string, string>;
}

export interface RenderedMail {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string> | null;
}

export interface MailTransport {
  /** @throws Error if the provider does not accept the mail */
  send(mail: RenderedMail): Promise<void>;
}
