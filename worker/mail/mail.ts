import type { ReactElement } from "react";

/** A mail as a person writes it: a subject and a React component. */
export interface Message {
  to: string;
  subject: string;
  body: ReactElement;
}

/** A mail as it goes out. */
export interface RenderedMail {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** Hands a mail on. @throws Error when it was not taken */
export interface MailTransport {
  send(mail: RenderedMail): Promise<void>;
}
