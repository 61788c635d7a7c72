import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

interface SharedFile {
  /** The address of the account that sends it. */
  sender: string;
  filename: string;
  /** Bytes. */
  size: number;
  /** ISO 8601, null for never. */
  expiresAt: string | null;
  link: string;
  /** What the sender wrote; may be empty. */
  note: string;
}

/** Brings somebody a link that a person sends them. */
export function fileSharedMessage(to: string, { sender, filename, size, expiresAt, link, note }: SharedFile): Message {
  return {
    to,
    subject: `${sender} sent you a file with ${PRODUCT_NAME}`,
    body: (
      <Mail title="A file for you">
        <Paragraph>
          {sender} sent you {filename} ({formatBytes(size)}).
        </Paragraph>
        {note !== "" && <Paragraph>“{note}”</Paragraph>}
        <Action href={link}>Open the download page</Action>
        <Paragraph>
          {expiresAt === null
            ? "The link does not end by itself."
            : `The link works until ${expiresAt.slice(0, 16).replace("T", " ")} UTC. After that the file is gone.`}{" "}
          If you do not know {sender}, do not open it.
        </Paragraph>
      </Mail>
    ),
  };
}

/** Tells an owner that an administrator has taken their file down. */
export function fileTakenDownMessage(to: string, filename: string, reason: string, origin: string): Message {
  return {
    to,
    subject: `${filename} was taken down from ${PRODUCT_NAME}`,
    body: (
      <Mail title="Your file was taken down">
        <Paragraph>{filename} can no longer be downloaded, and its bytes are deleted. The reason:</Paragraph>
        <Paragraph>“{reason}”</Paragraph>
        <Paragraph>If this is a mistake, write to us:</Paragraph>
        <Action href={`${origin}/contact`}>Contact us</Action>
      </Mail>
    ),
  };
}
