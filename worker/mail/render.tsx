import { renderToStaticMarkup } from "react-dom/server";
import { MailForm } from "./elements.tsx";
import type { Message, RenderedMail } from "./mail.ts";

/** Renders a message to its two bodies and gives it the id that every retry carries. */
export function renderMessage({ to, subject, body }: Message): RenderedMail {
  const html = renderToStaticMarkup(<MailForm.Provider value="html">{body}</MailForm.Provider>);
  const text = renderToStaticMarkup(<MailForm.Provider value="text">{body}</MailForm.Provider>);
  return { id: crypto.randomUUID(), to, subject, html: `<!doctype html>${html}`, text: unescape(text) };
}

const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** React escapes text for HTML; a plain body is not HTML. */
function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
