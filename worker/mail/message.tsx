import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { RenderedMail } from "../db/mail.ts";
import { MailFormat } from "./elements.tsx";

export interface Message {
  to: string;
  subject: string;
  body: ReactElement;
  /** Mail headers that the provider does not set itself, by name. */
  headers?: Record<string, string>;
}

/** Says that the provider refuses this mail, and would refuse it again, because of its address or its content. */
export class MailRefusedError extends Error {}

export interface MailTransport {
  /**
   * @throws Error if the provider does not accept the mail; MailRefusedError if the provider will never accept the mail
   */
  send(mail: RenderedMail): Promise<void>;
}

/** Renders a mail. All attempts to send the mail share its id. */
export function renderMessage({ to, subject, body, headers }: Message): RenderedMail {
  const html = renderToStaticMarkup(<MailFormat.Provider value="html">{body}</MailFormat.Provider>);
  const text = renderToStaticMarkup(<MailFormat.Provider value="text">{body}</MailFormat.Provider>);
  return {
    id: crypto.randomUUID(),
    to,
    subject,
    html: `<!doctype html>${html}`,
    text: unescape(text),
    headers: headers ?? null,
  };
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
