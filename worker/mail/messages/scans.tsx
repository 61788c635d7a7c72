import type { Locale } from "#domain/locale.ts";
import { translatorFor } from "#messages/compiled.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

interface Infected {
  /** A file's name, or a transfer's title. */
  name: string;
  /** The path of the file in a transfer; null for a single file. */
  path: string | null;
  /** The scanner's name for what it has found. */
  finding: string;
}

/** Tells the owner of a link what the scanner has found. @param link the link's page on the dashboard */
export function fileInfectedMessage(
  { email, locale }: { email: string; locale: Locale },
  { name, path, finding }: Infected,
  link: string,
): Message {
  const t = translatorFor(locale, "scanMails");
  return {
    to: email,
    subject: t("infectedSubject", { name }),
    body: (
      <Mail title={t("infectedTitle")} lang={locale}>
        <Paragraph>
          {path === null ? t("infectedText", { name, finding }) : t("infectedEntryText", { name, path, finding })}
        </Paragraph>
        <Paragraph>{t("infectedClosed")}</Paragraph>
        <Paragraph>{t("infectedHelp")}</Paragraph>
        <Action href={link}>{t("openLink")}</Action>
      </Mail>
    ),
  };
}
