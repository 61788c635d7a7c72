import { PRODUCT_NAME } from "#domain/brand.ts";
import type { Locale } from "#domain/locale.ts";
import { formatBytes } from "#domain/units.ts";
import type { LinkProtection } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";
import type { Translate } from "#messages/translate.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";
import type { TransferSummary } from "./files.tsx";

/** The person to whom a mail is sent, and the URL with which they stop mails of its kind. */
export interface Reader {
  email: string;
  locale: Locale;
  /** The reader's time zone, by its IANA name. */
  timeZone: string;
  /** The URL of the page that stops mails of this kind. A POST to the same URL stops these mails at once (RFC 8058). */
  unsubscribeUrl: string;
}

/** The most lines of a list in a mail. The other lines are only counted. */
const MOST_LINES = 30;

type MailTranslate = Translate<"noticeMails">;

interface SharedFile {
  sender: string;
  /** A file's name, or a transfer's title. */
  name: string;
  /** The files of a transfer; null for a single file. */
  content: TransferSummary | null;
  /** The size of the link's files in bytes. */
  size: number;
  /** When the link expires, in ISO 8601; null for a link that never expires. */
  expiresAt: string | null;
  link: string;
  note: string;
  /** The link's password and download limit. Undefined for a link without protection. */
  guards?: LinkProtection | undefined;
}

export function fileSharedMessage(reader: Reader, shared: SharedFile): Message {
  const { sender, name, content, size, expiresAt, link, note, guards } = shared;
  const t = translatorOf(reader);
  const count = content ? `${t("files", { count: content.entries })}, ` : "";
  return stoppable(reader, {
    subject: t(content ? "filesSubject" : "fileSubject", { sender, product: PRODUCT_NAME }),
    title: t(content ? "filesTitle" : "fileTitle"),
    body: (
      <>
        <Paragraph>
          {guards?.password
            ? t("sentLocked", { sender })
            : t("sentYou", { sender, name, parts: `${count}${formatBytes(size, reader.locale)}` })}
        </Paragraph>
        {note !== "" && <Paragraph>{t("quoted", { note })}</Paragraph>}
        {content && !guards?.password && <List items={namesOf(content, t)} />}
        <Action href={link}>{t("openPage")}</Action>
        {guards?.password && <Paragraph>{t("passwordComes", { sender })}</Paragraph>}
        {typeof guards?.maxDownloads === "number" && (
          <Paragraph>{t("downloadsLimited", { count: guards.maxDownloads })}</Paragraph>
        )}
        <Paragraph>
          {expiresAt === null ? t("neverEnds") : t("endsAt", { at: momentOf(Date.parse(expiresAt), reader) })}{" "}
          {t(content ? "unknownFiles" : "unknownFile", { sender })}
        </Paragraph>
      </>
    ),
  });
}

/**
 * The mail to a recipient who has not downloaded yet that the link ends soon.
 * @param name the name of the file or transfer; null for a link with a password
 * @param endsAt epoch milliseconds
 */
export function linkEndsMessage(
  reader: Reader,
  { sender, name, link, endsAt }: { sender: string; name: string | null; link: string; endsAt: number },
): Message {
  const t = translatorOf(reader);
  const at = momentOf(endsAt, reader);
  return stoppable(reader, {
    subject: t("endingSubject", { sender }),
    title: t("endingTitle"),
    body: (
      <>
        <Paragraph>
          {name === null ? t("endingLocked", { sender, at }) : t("endingText", { sender, name, at })}
        </Paragraph>
        <Action href={link}>{t("openPage")}</Action>
        <Paragraph>{t("unknownFiles", { sender })}</Paragraph>
      </>
    ),
  });
}

/** Tells an owner which links end soon. @param links `endsAt` is in epoch milliseconds */
export function ownLinksEndMessage(
  reader: Reader,
  links: readonly { name: string; endsAt: number }[],
  dashboardUrl: string,
): Message {
  const t = translatorOf(reader);
  const [first] = links;
  const items = links.map(({ name, endsAt }) => t("endingItem", { name, at: momentOf(endsAt, reader) }));
  return stoppable(reader, {
    subject:
      links.length === 1 && first
        ? t("endingOwnSubject", { name: first.name })
        : t("endingOwnManySubject", { count: links.length }),
    title: t("endingOwnTitle"),
    body: (
      <>
        <Paragraph>{t("endingOwnText", { count: links.length })}</Paragraph>
        <List items={shortened(items, t)} />
        <Paragraph>{t("endingOwnHelp")}</Paragraph>
        <Action href={dashboardUrl}>{t("keepLonger")}</Action>
      </>
    ),
  });
}

export function arrivedMessage(reader: Reader, names: readonly string[], dashboardUrl: string): Message {
  const t = translatorOf(reader);
  const [first = ""] = names;
  return stoppable(reader, {
    subject:
      names.length === 1 ? t("arrivedSubject", { name: first }) : t("arrivedManySubject", { count: names.length }),
    title: t("arrivedTitle"),
    body: (
      <>
        <Paragraph>{t("arrivedText", { count: names.length })}</Paragraph>
        <List items={shortened(names, t)} />
        <Action href={dashboardUrl}>{t("dashboard")}</Action>
      </>
    ),
  });
}

/** The downloads of one person. `who`: the recipient's address; null for all people with the link without a token. */
export interface CountedDownloads {
  who: string | null;
  count: number;
}

export function downloadedMessage(
  reader: Reader,
  { name, downloads }: { name: string; downloads: readonly CountedDownloads[] },
  dashboardUrl: string,
): Message {
  const t = translatorOf(reader);
  const items = downloads.map(({ who, count }) =>
    t("downloadsOf", { who: who ?? t("anybody"), downloads: t("downloads", { count }) }),
  );
  return stoppable(reader, {
    subject: t("downloadedSubject", { name }),
    title: t("downloadedTitle"),
    body: (
      <>
        <Paragraph>{t("downloadedText", { name })}</Paragraph>
        <List items={shortened(items, t)} />
        <Action href={dashboardUrl}>{t("seeWho")}</Action>
      </>
    ),
  });
}

/** The files of one upload through an upload request. */
export interface ReceivedFiles {
  /** The name that the sender gave; null if the sender gave none. */
  who: string | null;
  name: string;
  /** The size of the received files in bytes. */
  size: number;
  /** The number of a transfer's files; null for a single file. */
  entries: number | null;
}

export function receivedMessage(reader: Reader, received: readonly ReceivedFiles[], dashboardUrl: string): Message {
  const t = translatorOf(reader);
  const [first] = received;
  return stoppable(reader, {
    subject:
      received.length === 1 && first
        ? t("receivedSubject", { who: first.who ?? t("stranger") })
        : t("receivedManySubject", { count: received.length }),
    title: t("receivedTitle"),
    body: (
      <>
        <Paragraph>{t("receivedText")}</Paragraph>
        <List items={receivedItems(received, t)} />
        <Action href={dashboardUrl}>{t("seeReceived")}</Action>
      </>
    ),
  });
}

export function dayMessage(
  reader: Reader,
  day: { downloads: readonly (CountedDownloads & { name: string })[]; received: readonly ReceivedFiles[] },
  dashboardUrl: string,
): Message {
  const t = translatorOf(reader);
  const downloads = day.downloads.map(({ name, who, count }) =>
    t("dayItem", { name, who: who ?? t("anybody"), downloads: t("downloads", { count }) }),
  );
  return stoppable(reader, {
    subject: t("daySubject", { product: PRODUCT_NAME }),
    title: t("dayTitle"),
    body: (
      <>
        {downloads.length > 0 && (
          <>
            <Paragraph>{t("dayDownloaded")}</Paragraph>
            <List items={shortened(downloads, t)} />
          </>
        )}
        {day.received.length > 0 && (
          <>
            <Paragraph>{t("dayReceived")}</Paragraph>
            <List items={receivedItems(day.received, t)} />
          </>
        )}
        <Action href={dashboardUrl}>{t("dashboard")}</Action>
      </>
    ),
  });
}

/** The name in an owner's mail for a link with a password or encryption; null for any other link. */
export function namelessLink(locale: Locale, link: { isLocked: boolean; isSealed: boolean }): string | null {
  const t = translatorFor(locale, "noticeMails");
  if (link.isSealed) return t("sealedName");
  return link.isLocked ? t("lockedName") : null;
}

/** Adds a link with which people and mail programs (RFC 8058) stop mails of this kind. */
export function stoppable(
  { email: to, locale, unsubscribeUrl }: Reader,
  { subject, title, body }: { subject: string; title: string; body: Message["body"] },
): Message {
  const foot = { text: translatorFor(locale, "noticeMails")("stopMail"), href: unsubscribeUrl };
  return {
    to,
    subject,
    body: (
      <Mail title={title} lang={locale} foot={foot}>
        {body}
      </Mail>
    ),
    headers: {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

function translatorOf({ locale }: Reader): MailTranslate {
  return translatorFor(locale, "noticeMails");
}

function receivedItems(received: readonly ReceivedFiles[], t: MailTranslate): string[] {
  const items = received.map(({ who, name, size, entries }) => {
    const count = entries === null ? "" : `${t("files", { count: entries })}, `;
    return t("receivedItem", { who: who ?? t("stranger"), name, parts: `${count}${formatBytes(size, t.locale)}` });
  });
  return shortened(items, t);
}

function namesOf({ paths, entries }: TransferSummary, t: MailTranslate): string[] {
  const others = entries - paths.length;
  return others > 0 ? [...paths, t("andMore", { more: others.toLocaleString(t.locale) })] : paths;
}

function shortened(items: readonly string[], t: MailTranslate): string[] {
  const others = items.length - MOST_LINES;
  if (others <= 0) return [...items];
  return [...items.slice(0, MOST_LINES), t("andMore", { more: others.toLocaleString(t.locale) })];
}

/**
 * A date and time in the reader's time zone. Recipients' time zones are unknown, so their mails show UTC.
 * @param at epoch milliseconds
 */
export function momentOf(at: number, { locale, timeZone }: Reader): string {
  const moment = new Date(at).toLocaleString(locale, { dateStyle: "long", timeStyle: "short", timeZone });
  return `${moment} (${timeZone})`;
}
