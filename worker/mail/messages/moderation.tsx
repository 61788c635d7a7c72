import type { ReactNode } from "react";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { Locale } from "#domain/locale.ts";
import type { Ground } from "#domain/moderation/statements.ts";
import type { ReportReason } from "#domain/wire.ts";
import { translatorFor } from "#messages/compiled.ts";
import { Action, List, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";
import type { TransferSummary } from "./files.tsx";

/** The person to whom a mail is sent. */
export interface MailReader {
  email: string;
  locale: Locale;
}

/** Why something was decided, and the page on which the reader can object. */
export interface Reasons {
  reason: string;
  ground: Ground;
  objectionUrl: string;
}

const translate = ({ locale }: MailReader) => translatorFor(locale, "moderationMails");

/** A mail in the reader's language. */
function mailTo({ email, locale }: MailReader, subject: string, title: string, body: ReactNode): Message {
  return {
    to: email,
    subject,
    body: (
      <Mail title={title} lang={locale}>
        {body}
      </Mail>
    ),
  };
}

/** The statement of reasons (EU Digital Services Act, article 17). */
function Statement({ reader, reason, ground, objectionUrl }: Reasons & { reader: MailReader }) {
  const t = translate(reader);
  return (
    <>
      <Paragraph>{t("reasonIs")}</Paragraph>
      <Paragraph>{t("quoted", { reason })}</Paragraph>
      <Paragraph>{t(ground === "law" ? "basisLaw" : "basisTerms")}</Paragraph>
      <Paragraph>{t("mayObject")}</Paragraph>
      <Action href={objectionUrl}>{t("object")}</Action>
    </>
  );
}

/** @param deletedFrom when the account is deleted if it stays suspended, in epoch milliseconds */
export function accountSuspendedMessage(reader: MailReader, reasons: Reasons, deletedFrom: number): Message {
  const t = translate(reader);
  const date = new Date(deletedFrom).toLocaleDateString(reader.locale, { dateStyle: "long", timeZone: "UTC" });
  return mailTo(
    reader,
    t("suspendedSubject", { product: PRODUCT_NAME }),
    t("suspendedTitle"),
    <>
      <Paragraph>{t("suspendedText", { email: reader.email })}</Paragraph>
      <Paragraph>{t("suspendedKept", { date })}</Paragraph>
      <Statement reader={reader} {...reasons} />
    </>,
  );
}

/** @param origin the site's origin */
export function accountRestoredMessage(reader: MailReader, origin: string): Message {
  const t = translate(reader);
  return mailTo(
    reader,
    t("restoredSubject", { product: PRODUCT_NAME }),
    t("restoredTitle"),
    <>
      <Paragraph>{t("restoredText", { email: reader.email })}</Paragraph>
      <Action href={`${origin}/login`}>{t("signIn")}</Action>
    </>,
  );
}

/** @param path the path of the removed file @param title the transfer's title */
export function entryTakenDownMessage(
  reader: MailReader,
  { path, title }: { path: string; title: string },
  reasons: Reasons,
): Message {
  const t = translate(reader);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return mailTo(
    reader,
    t("takenDownSubject", { name, product: PRODUCT_NAME }),
    t("entryTakenDownTitle"),
    <>
      <Paragraph>{t("entryTakenDown", { path, title })}</Paragraph>
      <Statement reader={reader} {...reasons} />
    </>,
  );
}

/** @param name a file's name, or a transfer's title @param content the files of a transfer; null for a single file */
export function fileTakenDownMessage(
  reader: MailReader,
  { name, content }: { name: string; content: TransferSummary | null },
  reasons: Reasons,
): Message {
  const t = translate(reader);
  return mailTo(
    reader,
    t("takenDownSubject", { name, product: PRODUCT_NAME }),
    t(content ? "transferTakenDownTitle" : "fileTakenDownTitle"),
    <>
      <Paragraph>
        {content ? t("transferTakenDown", { name, count: content.entries }) : t("fileTakenDown", { name })}
      </Paragraph>
      {content && <FileNames reader={reader} {...content} />}
      <Statement reader={reader} {...reasons} />
    </>,
  );
}

function FileNames({ reader, paths, entries }: TransferSummary & { reader: MailReader }) {
  const others = entries - paths.length;
  return <List items={others > 0 ? [...paths, translate(reader)("andMore", { count: others })] : paths} />;
}

/** The receipt of a report (EU Digital Services Act, article 16, paragraph 4). @param link the reported link */
export function reportReceivedMessage(reader: MailReader, link: string, reason: ReportReason): Message {
  const t = translate(reader);
  const reasonName = translatorFor(reader.locale, "reportReasons")(reason);
  return mailTo(
    reader,
    t("reportedSubject"),
    t("reportedTitle"),
    <>
      <Paragraph>{t("reportedText", { link })}</Paragraph>
      <Paragraph>{t("reportedReason", { reason: reasonName })}</Paragraph>
    </>,
  );
}

/** What became of a report (EU Digital Services Act, article 16, paragraph 5). */
export function reportDecidedMessage(
  reader: MailReader,
  link: string,
  { isTakenDown, objectionUrl }: { isTakenDown: boolean; objectionUrl: string },
): Message {
  const t = translate(reader);
  return mailTo(
    reader,
    t("decidedSubject"),
    t("decidedTitle"),
    <>
      <Paragraph>{t(isTakenDown ? "reportTakenDown" : "reportDismissed", { link })}</Paragraph>
      {!isTakenDown && (
        <>
          <Paragraph>{t("mayObject")}</Paragraph>
          <Action href={objectionUrl}>{t("object")}</Action>
        </>
      )}
    </>,
  );
}

/** @param about what the decision was about, as its statement names it */
export function objectionReceivedMessage(reader: MailReader, about: string): Message {
  const t = translate(reader);
  return mailTo(
    reader,
    t("objectedSubject"),
    t("objectedTitle"),
    <Paragraph>{t("objectedText", { about })}</Paragraph>,
  );
}

/**
 * @param outcome `stays`: the decision stands. `taken-back`: it was undone. `file-gone`: it was wrong, but the file is
 * deleted
 * @param note what the administrator adds; "" for nothing
 */
export function objectionDecidedMessage(
  reader: MailReader,
  about: string,
  outcome: "stays" | "taken-back" | "file-gone",
  note: string,
): Message {
  const t = translate(reader);
  const names = { stays: "upheldText", "taken-back": "grantedText", "file-gone": "grantedFile" } as const;
  return mailTo(
    reader,
    t("upheldSubject"),
    t("upheldTitle"),
    <>
      <Paragraph>{t(names[outcome], { about })}</Paragraph>
      {note !== "" && <Paragraph>{t("quoted", { reason: note })}</Paragraph>}
    </>,
  );
}

/** @param name a file's name, or a transfer's title @param limit the limit of new accounts that was exceeded */
export function linkHeldMessage(reader: MailReader, name: string, limit: "downloads" | "recipients"): Message {
  const t = translate(reader);
  return mailTo(
    reader,
    t("heldSubject", { name }),
    t("heldTitle"),
    <>
      <Paragraph>{limit === "downloads" ? t("heldDownloads") : t("heldRecipients", { name })}</Paragraph>
      <Paragraph>{t("heldText", { name })}</Paragraph>
    </>,
  );
}

/** @param name a file's name, or a transfer's title */
export function linkReleasedMessage(reader: MailReader, name: string): Message {
  const t = translate(reader);
  return mailTo(
    reader,
    t("releasedSubject", { name }),
    t("releasedTitle"),
    <Paragraph>{t("releasedText", { name })}</Paragraph>,
  );
}
