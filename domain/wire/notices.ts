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

/** `GET /api/notices` answers all settings, `PATCH` takes any of them. */
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

/** A person to whom a link was mailed. Moments are ISO 8601, and null before they happen. */
export interface ListedRecipient {
  id: string;
  email: string;
  sentAt: string;
  openedAt: string | null;
  firstDownloadAt: string | null;
  lastDownloadAt: string | null;
  downloads: number;
  /** When the sender stopped mailing this recipient. */
  stoppedAt: string | null;
  /** Whether the recipient wants no more mail from this sender, or from anybody. */
  refusesMail: boolean;
}

/** The answer of `GET /api/files/{id}/recipients`. */
export interface RecipientsAnswer {
  recipients: ListedRecipient[];
  /** The number of further recipients that the plan allows. */
  left: number;
  notify: DownloadNotice | null;
}

/** The answer for the page behind an unsubscribe link. `sender` is null unless a sender mailed this person a link. */
export interface UnsubscribeInfo {
  /** Null for receipts, of whose address only a digest is known. */
  email: string | null;
  sender: string | null;
  stopped: "nothing" | "sender" | "all";
  /** Only for receipts: whether the address was confirmed. Receipts to an unconfirmed address name no files. */
  confirmed?: boolean;
}
/**
 * For mails about one's own account, `sender` and `all` switch the account's setting for these mails off. For receipts,
 * `sender` stops receipts for transfers to any owner, and `confirm` confirms one's own address.
 */
export const unsubscribeRequest = z.object({ what: z.enum(["sender", "all", "resume", "confirm"]) });
export type UnsubscribeRequest = z.infer<typeof unsubscribeRequest>;

/** The POST of a mail program (RFC 8058), or of the page's form. */
export const unsubscribeForm = z.union([z.object({ "List-Unsubscribe": z.literal("One-Click") }), unsubscribeRequest]);
