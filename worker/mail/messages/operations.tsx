import { PRODUCT_NAME } from "#domain/brand.ts";
import type { DatabaseFill } from "#domain/database-fill.ts";
import { formatBytes } from "#domain/units.ts";
import { Action, Mail, Paragraph } from "../elements.tsx";
import type { Message } from "../message.tsx";

/** Warns the administrator that the database is filling up. @param origin the site's origin */
export function databaseFillsMessage(
  to: string,
  { bytes, limitBytes, percent, daysLeft }: DatabaseFill,
  origin: string,
): Message {
  return {
    to,
    subject: `The database of ${PRODUCT_NAME} is ${percent} % full`,
    body: (
      <Mail title={`The database is ${percent} % full`}>
        <Paragraph>
          The database of {origin} has {formatBytes(bytes)}, and ends at {formatBytes(limitBytes)}. When it is full,
          nobody can upload or sign in.
        </Paragraph>
        {daysLeft !== null && (
          <Paragraph>
            At the growth of the last week it is full in {daysLeft === 1 ? "one day" : `${daysLeft} days`}.
          </Paragraph>
        )}
        <Paragraph>
          The section “The database fills” in docs/operations.md says what to do. You get this mail once for each
          percentage that the database reaches.
        </Paragraph>
        <Action href={`${origin}/admin/dashboard?tab=overview`}>Open the overview</Action>
      </Mail>
    ),
  };
}

/** Tells the administrator that a link was closed because somebody reported child abuse. @param origin the site's origin */
export function childAbuseReportedMessage(to: string, origin: string): Message {
  return {
    to,
    subject: `A link of ${PRODUCT_NAME} was closed: child abuse was reported`,
    body: (
      <Mail title="Child abuse was reported">
        <Paragraph>
          The reported link is closed to everybody, you included, and its bytes are kept. Do not try to look at them: in
          many countries that is a crime.
        </Paragraph>
        <Paragraph>
          The section “Somebody reports something at three in the morning” in docs/operations.md says what to do.
        </Paragraph>
        <Action href={`${origin}/admin/dashboard?tab=queue`}>Open the queue</Action>
      </Mail>
    ),
  };
}

interface ScannerOutage {
  since: Date;
  /** What the scanner did, in the words of the log. */
  reason: string;
  mode: "after" | "before";
}

/** Tells the administrator that the scanner is away. @param origin the site's origin */
export function scannerAwayMessage(to: string, { since, reason, mode }: ScannerOutage, origin: string): Message {
  return {
    to,
    subject: `The virus scanner of ${PRODUCT_NAME} does not answer`,
    body: (
      <Mail title="The virus scanner does not answer">
        <Paragraph>
          The scanner of {origin} has failed since {since.toISOString()}: {reason}
        </Paragraph>
        <Paragraph>
          {mode === "before"
            ? "New links say “Being checked” until it answers again. Nothing passes without a check."
            : "New links work, and are scanned once it answers again."}
        </Paragraph>
        <Paragraph>
          The section “Scanning for viruses” in docs/operations.md says what to do. You get this mail once for each
          failure.
        </Paragraph>
        <Action href={`${origin}/admin/dashboard?tab=overview`}>Open the overview</Action>
      </Mail>
    ),
  };
}
