import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

/** @param name a file's name, or a transfer's title @param href where the owner can set a new password */
export function passwordGuessedMessage(to: string, name: string, href: string): Message {
  return {
    to,
    subject: "Somebody is guessing the password of your link",
    body: (
      <Mail title="Somebody is guessing a password">
        <Paragraph>
          More than 100 wrong passwords were tried in the last hour on your link to {name}. The link is still protected.
        </Paragraph>
        <Paragraph>If the password is short or easy to guess, set a new one and tell it to your recipients.</Paragraph>
        <Action href={href}>Set a new password</Action>
      </Mail>
    ),
  };
}
