import { PRODUCT_NAME } from "#domain/brand.ts";
import { Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

/** Shows an administrator that mail arrives. */
export function testMessage(to: string): Message {
  return {
    to,
    subject: `Test verification email from ${PRODUCT_NAME}`,
    body: (
      <Mail title="Mail works">
        <Paragraph>An administrator of {PRODUCT_NAME} sent this to see whether verification mails arrive.</Paragraph>
        <Paragraph>This one did. There is nothing to confirm and nothing else to do.</Paragraph>
      </Mail>
    ),
  };
}
