import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { DOWNLOAD_NOTICES, type DownloadNotice } from "../notices/when-mailed.ts";

/** The longest name of the IANA database has 32 characters. */
const TIME_ZONE_MAX_LENGTH = 64;

const timeZone = z
  .string()
  .check(
    z.maxLength(TIME_ZONE_MAX_LENGTH, messageName("notTimeZone")),
    z.refine(isTimeZone, messageName("notTimeZone")),
  );

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** `GET /api/notices` answers these, `PATCH` takes any of them. */
export const noticeSettings = z.object({
  downloaded: z.enum(DOWNLOAD_NOTICES),
  arrived: z.boolean(),
  ending: z.boolean(),
  timeZone,
});
export type NoticeSettings = z.infer<typeof noticeSettings>;
export const changeNoticesRequest = z.partial(noticeSettings);
export type ChangeNoticesRequest = z.infer<typeof changeNoticesRequest>;

/** Which downloads of one transfer are mailed; null for the account's choice. `PATCH /api/files/{id}/notify`. */
export const changeNotifyRequest = z.object({ notify: z.nullable(z.enum(DOWNLOAD_NOTICES)) });

/** Somebody a link was mailed to. Moments are ISO 8601; null: not yet. */
export interface ListedRecipient {
  id: string;
  email: string;
  sentAt: string;
  openedAt: string | null;
  firstDownloadAt: string | null;
  lastDownloadAt: string | null;
  downloads: number;
  /** The sender stopped mailing them. */
  stoppedAt: string | null;
  /** Whether the recipient wants no more mail from this sender, or from anybody. */
  refusesMail: boolean;
}

/** `GET /api/files/{id}/recipients` */
export interface RecipientsAnswer {
  recipients: ListedRecipient[];
  /** How many more the plan allows. */
  left: number;
  notify: DownloadNotice | null;
}

/** What a person who follows an unsubscribe link sees. `sender`: null unless somebody mailed them a link. */
export interface UnsubscribeInfo {
  /** Null for receipts, whose address is known by its digest alone. */
  email: string | null;
  sender: string | null;
  stopped: "nothing" | "sender" | "all";
  /** Only for receipts: whether the address was confirmed, so that they name files. */
  confirmed?: boolean;
}
/**
 * For mails about one's own account, `sender` and `all` switch the choice off. For receipts, `sender` stops those of
 * everybody, and `confirm` says that the address is one's own.
 */
export const unsubscribeRequest = z.object({ what: z.enum(["sender", "all", "resume", "confirm"]) });
export type UnsubscribeRequest = z.infer<typeof unsubscribeRequest>;

/** What a mail program posts (RFC 8058), and a form of the page. */
export const unsubscribeForm = z.union([z.object({ "List-Unsubscribe": z.literal("One-Click") }), unsubscribeRequest]);
