import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

interface SharedFile {
  sender: string;
  filename: string;
  /** Bytes. */
  size: number;
  /** ISO 8601, null for never. */
  expiresAt: string | null;
  link: string;
  note: string;
}

export function fileSharedMessage(to: string, { sender, filename, size, expiresAt, link, note }: SharedFile): Message {
  return {
    to,
    subject: `${sender} sent you a file with ${PRODUCT_NAME}`,
    body: (
      <Mail title="You received a file">
        <Paragraph>
          {sender} sent you {filename} ({formatBytes(size)}).
        </Paragraph>
        {note !== "" && <Paragraph>“{note}”</Paragraph>}
        <Action href={link}>Go to the download page</Action>
        <Paragraph>
          {expiresAt === null
            ? "The link does not expire."
            : `The link expires on ${expiresAt.slice(0, 16).replace("T", " at ")} UTC.`}{" "}
          If you do not know {sender}, do not open the file.
        </Paragraph>
      </Mail>
    ),
  };
}

/** @param path of one file of a transfer */
export function entryTakenDownMessage(
  to: string,
  { path, title }: { path: string; title: string },
  reason: string,
  origin: string,
): Message {
  return {
    to,
    subject: `${path} was taken down from ${PRODUCT_NAME}`,
    body: (
      <Mail title="A file of your transfer was taken down">
        <Paragraph>
          We removed {path} from {title}. It can no longer be downloaded and is being deleted. The other files stay. The
          reason:
        </Paragraph>
        <Paragraph>“{reason}”</Paragraph>
        <Paragraph>If you think this is a mistake, please contact us.</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}

export function fileTakenDownMessage(to: string, filename: string, reason: string, origin: string): Message {
  return {
    to,
    subject: `${filename} was taken down from ${PRODUCT_NAME}`,
    body: (
      <Mail title="Your file was taken down">
        <Paragraph>
          We removed {filename}. Its link no longer works and the file is being deleted. The reason:
        </Paragraph>
        <Paragraph>“{reason}”</Paragraph>
        <Paragraph>If you think this is a mistake, please contact us.</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}
