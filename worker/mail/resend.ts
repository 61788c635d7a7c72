import type { MailTransport } from "./mail.ts";

/** The mail's id is Resend's idempotency key, so that a retry does not send it twice. `apiUrl`: no trailing slash. */
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
      if (!response.ok) throw new Error(`the mail provider answered ${response.status}: ${await response.text()}`);
    },
  };
}
