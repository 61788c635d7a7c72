import { PRODUCT_NAME } from "#domain/brand.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

/** How many files of a transfer a mail lists by name. The other files are only counted. */
export const NAMED_FILES = 5;

export interface TransferSummary {
  /** The paths of the transfer's first files, at most NAMED_FILES. */
  paths: string[];
  /** The number of all files of the transfer. */
  entries: number;
}

/** The number of files in words, for example "312 files". */
export function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count.toLocaleString("en-US")} files`;
}

/** @param name a file's name, or a transfer's title @param href the page where the owner can set a new password */
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
