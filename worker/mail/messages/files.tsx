import { PRODUCT_NAME } from "#domain/brand.ts";
import { formatBytes } from "#domain/units.ts";
import type { LinkGuards } from "#domain/wire.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../mail.ts";

/** So many files of a transfer are named; the others are counted. */
export const NAMED_FILES = 5;

export interface TransferSummary {
  /** The first NAMED_FILES. */
  paths: string[];
  /** How many there are in all. */
  entries: number;
}

interface NamedFile {
  /** A file's name, or a transfer's title. */
  name: string;
  /** Null for a single file. */
  content: TransferSummary | null;
}

interface SharedFile extends NamedFile {
  sender: string;
  /** Bytes. */
  size: number;
  /** ISO 8601, null for never. */
  expiresAt: string | null;
  link: string;
  note: string;
  /** Undefined for a link without any. */
  guards?: LinkGuards | undefined;
}

/** For example "312 files". */
export function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count.toLocaleString("en-US")} files`;
}

function countDownloads(count: number): string {
  return count === 1 ? "1 download" : `${count.toLocaleString("en-US")} downloads`;
}

export function fileSharedMessage(to: string, shared: SharedFile): Message {
  const { sender, name, content, size, expiresAt, link, note, guards } = shared;
  const parts = content ? `${countFiles(content.entries)}, ${formatBytes(size)}` : formatBytes(size);
  return {
    to,
    subject: `${sender} sent you ${content ? "files" : "a file"} with ${PRODUCT_NAME}`,
    body: (
      <Mail title={content ? "You received files" : "You received a file"}>
        <Paragraph>
          {guards?.password ? `${sender} sent you files behind a password.` : `${sender} sent you ${name} (${parts}).`}
        </Paragraph>
        {note !== "" && <Paragraph>“{note}”</Paragraph>}
        {content && !guards?.password && <FileNames {...content} />}
        <Action href={link}>Go to the download page</Action>
        {guards?.password && <Paragraph>You need the password. {sender} tells it to you in another way.</Paragraph>}
        {typeof guards?.maxDownloads === "number" && (
          <Paragraph>The link ends after {countDownloads(guards.maxDownloads)}.</Paragraph>
        )}
        <Paragraph>
          {expiresAt === null
            ? "The link does not expire."
            : `The link expires on ${expiresAt.slice(0, 16).replace("T", " at ")} UTC.`}{" "}
          If you do not know {sender}, do not open the {content ? "files" : "file"}.
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
