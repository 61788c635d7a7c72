import { PRODUCT_NAME } from "#domain/brand.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

/** Tells an owner that files which never expired do so now, because the plan that kept them has ended. */
export function filesWillExpireMessage(to: string, planName: string, endsAt: Date, origin: string): Message {
  const date = endsAt.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  return {
    to,
    subject: `Your kept files on ${PRODUCT_NAME} expire on ${date}`,
    body: (
      <Mail title={`Your kept files expire on ${date}`}>
        <Paragraph>
          You are on the {planName} plan now, which does not keep files forever. Those you kept without an end stay for
          30 more days, until {date}. Your other files live as long as you said.
        </Paragraph>
        <Paragraph>Download what you need before then, or choose a plan that keeps files forever.</Paragraph>
        <Action href={`${origin}/dashboard`}>See your files</Action>
      </Mail>
    ),
  };
}
