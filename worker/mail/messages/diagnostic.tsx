import { PRODUCT_NAME } from "#domain/brand.ts";
import { Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

export function testMessage(to: string): Message {
  return {
    to,
    subject: `Test verification email from ${PRODUCT_NAME}`,
    body: (
      <Mail title="Your test email arrived">
        <Paragraph>
          An administrator of {PRODUCT_NAME} sent this email to check that verification emails arrive.
        </Paragraph>
        <Paragraph>You do not need to do anything.</Paragraph>
      </Mail>
    ),
  };
}
