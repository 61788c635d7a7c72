import { PRODUCT_NAME } from "#domain/brand.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

/** How many files of a transfer a mail lists by name. The other files are only counted. */
export const NAMED_FILES = 5;

export interface TransferSummary {
  /** The paths of the transfer's first files, at most NAMED_FILES. */
  paths: string[];
  /** The number of all files of the transfer. */
  entries: number;
}

interface NamedFile {
  /** A file's name, or a transfer's title. */
  name: string;
  /** The files of a transfer; null for a single file. */
  content: TransferSummary | null;
}

/** The number of files in words, for example "312 files". */
export function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count.toLocaleString("en-US")} files`;
}

/** @param path the path of the removed file @param title the transfer's title */
export function entryTakenDownMessage(
  to: string,
  { path, title }: { path: string; title: string },
  reason: string,
  origin: string,
): Message {
  return {
    to,
    subject: `${path.slice(path.lastIndexOf("/") + 1)} was taken down from ${PRODUCT_NAME}`,
    body: (
      <Mail title="A file of your transfer was taken down">
        <Paragraph>
          We removed {path} from {title}. It can no longer be downloaded and is being deleted. The other files stay. The
          reason:
        </Paragraph>
        <Appeal reason={reason} origin={origin} />
      </Mail>
    ),
  };
}

export function fileTakenDownMessage(
  to: string,
  { name, content }: NamedFile,
  reason: string,
  origin: string,
): Message {
  return {
    to,
    subject: `${name} was taken down from ${PRODUCT_NAME}`,
    body: (
      <Mail title={content ? "Your transfer was taken down" : "Your file was taken down"}>
        {content ? (
          <>
            <Paragraph>
              We removed {name} ({countFiles(content.entries)}). Its link no longer works and the files are being
              deleted:
            </Paragraph>
            <FileNames {...content} />
            <Paragraph>The reason:</Paragraph>
          </>
        ) : (
          <Paragraph>We removed {name}. Its link no longer works and the file is being deleted. The reason:</Paragraph>
        )}
        <Appeal reason={reason} origin={origin} />
      </Mail>
    ),
  };
}

function Appeal({ reason, origin }: { reason: string; origin: string }) {
  return (
    <>
      <Paragraph>“{reason}”</Paragraph>
      <Paragraph>If you think this is a mistake, please contact us.</Paragraph>
      <Action href={`${origin}/contact`}>Contact us</Action>
    </>
  );
}

function FileNames({ paths, entries }: TransferSummary) {
  const others = entries - paths.length;
  return <List items={others > 0 ? [...paths, `and ${others.toLocaleString("en-US")} more`] : paths} />;
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
