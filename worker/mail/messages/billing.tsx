import { PRODUCT_NAME } from "#domain/brand.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

export function filesWillExpireMessage(to: string, planName: string, expiresAt: Date, origin: string): Message {
  const date = expiresAt.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  return {
    to,
    subject: `Some of your ${PRODUCT_NAME} files expire on ${date}`,
    body: (
      <Mail title={`Some of your files expire on ${date}`}>
        <Paragraph>
          You are on the {planName} plan now, which does not keep files forever. Your files without an expiry date will
          be deleted on {date}. All other files keep the expiry date you chose.
        </Paragraph>
        <Paragraph>
          To keep these files, download them before then or switch to a plan that keeps files forever.
        </Paragraph>
        <Action href={`${origin}/dashboard`}>View your files</Action>
      </Mail>
    ),
  };
}
