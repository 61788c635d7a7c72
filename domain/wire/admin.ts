import * as z from "zod/mini";
import { emailAddress, withAsciiDomain } from "../email-address.ts";
import { messageName } from "../field-messages.ts";
import { GROUNDS } from "../moderation/statements.ts";
import { BLOCK_LABEL_MAX_LENGTH } from "../moderation/block-list.ts";
import { pageCursor } from "../paging.ts";
import { PLAN_IDS } from "../plans.ts";
import { MAX_ENTRY_NUMBERS } from "../transfers/limits.ts";
import { requiredText } from "./checks.ts";
import { FILE_ORDERS } from "./files.ts";
import { sharedKey } from "./seal.ts";

const ADMIN_TEXT_MAX_LENGTH = 254;

/** The username is `ADMIN_USERNAME`, or the email address of an account with the admin role. */
export const adminLoginRequest = z.object({
  username: requiredText("usernameMissing", ADMIN_TEXT_MAX_LENGTH, "usernameLong"),
  password: z
    .string(messageName("passwordMissing"))
    .check(
      z.minLength(1, messageName("passwordMissing")),
      z.maxLength(ADMIN_TEXT_MAX_LENGTH, messageName("loginPasswordLong")),
    ),
});
export type AdminLoginRequest = z.infer<typeof adminLoginRequest>;

/** The pattern is stricter than `EMAIL_PATTERN` (decision 024). */
export const ADMIN_EMAIL = /^[a-zA-Z0-9._-]+@[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*\.[a-zA-Z]{2,}$/;
export const adminEmailRequest = z.object({
  email: z
    .string(messageName("emailFormat"))
    .check(
      z.trim(),
      z.toLowerCase(),
      z.overwrite(withAsciiDomain),
      z.maxLength(254, messageName("emailFormat")),
      z.regex(ADMIN_EMAIL, messageName("emailFormat")),
    ),
});
export const adminPlanRequest = z.object({
  planType: z.enum(PLAN_IDS),
});
export const adminRoleRequest = z.object({ isAdmin: z.boolean() });

export const REASON_MAX_LENGTH = 500;
/** On what a decision rests, for the mail to the owner. */
export const ground = z._default(z.enum(GROUNDS), "terms");
export const takeDownRequest = z.object({
  ground,
  reason: z
    .string(messageName("takeDownReasonMissing"))
    .check(
      z.trim(),
      z.minLength(3, messageName("takeDownReasonMissing")),
      z.maxLength(REASON_MAX_LENGTH, messageName("takeDownReasonLong")),
    ),
});

export const REPORT_REASONS = [
  "malware",
  "phishing",
  "illegal",
  "copyright",
  "privacy",
  "child-abuse",
  "other",
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
export const REPORT_MESSAGE_MAX_LENGTH = 1000;
const NOTICE_TEXT_MAX_LENGTH = 500;
/** The fields of a copyright notice (17 U.S.C. 512(c)(3); EU Digital Services Act, article 16). */
export const copyrightNotice = z.object({
  work: requiredText("noticeWorkMissing", NOTICE_TEXT_MAX_LENGTH, "noticeLong"),
  /** The holder of the rights, or the person who may act for the holder. */
  holder: requiredText("noticeHolderMissing", NOTICE_TEXT_MAX_LENGTH, "noticeLong"),
  /** The reporter believes in good faith that the holder has not allowed this use, and that the notice is right. */
  goodFaith: z.literal(true, messageName("noticeFaithMissing")),
});
export type CopyrightNotice = z.infer<typeof copyrightNotice>;
export const reportRequest = z.object({
  reason: z.enum(REPORT_REASONS, messageName("reasonMissing")),
  message: z._default(
    z.string().check(z.trim(), z.maxLength(REPORT_MESSAGE_MAX_LENGTH, messageName("reportLong"))),
    "",
  ),
  /** Optional, for questions about the report. */
  email: z._default(
    z.union([z.literal(""), emailAddress(messageName("emailWrong"))], { error: messageName("emailWrong") }),
    "",
  ),
  /** Only for the reason `copyright`. */
  notice: z.optional(copyrightNotice),
  /** The number of the reported file in a transfer. */
  entry: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(MAX_ENTRY_NUMBERS - 1))),
  /** The key of a sealed link, so that moderators can look inside. */
  sharedKey: z.optional(sharedKey),
});
export type ReportRequest = z.infer<typeof reportRequest>;

/** How a report is closed. With `taken-down`, the note becomes the reason of the takedown. */
const SETTLEMENTS = ["dismissed", "taken-down"] as const;
/** `suspended`: the account of the link was suspended, which ends the link for now. */
export const REPORT_OUTCOMES = [...SETTLEMENTS, "suspended"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];
export const settleReportRequest = z
  .object({
    outcome: z.enum(SETTLEMENTS),
    note: z._default(z.string().check(z.trim(), z.maxLength(REASON_MAX_LENGTH)), ""),
    ground,
    /** For a report of one file of a transfer: whether a takedown ends the whole transfer, or that file alone. */
    whole: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ outcome, note }) => outcome === "dismissed" || note.length >= 3, {
      message: messageName("takeDownReasonMissing"),
      path: ["note"],
    }),
  );
export type SettleReportRequest = z.infer<typeof settleReportRequest>;

export const ADMIN_PAGE_SIZE = 100;
/** The rows of a list are counted up to this number. `page` reaches no later row; cursors reach every row. */
export const ADMIN_COUNTED_ROWS = 10_000;

/** Which page of a list, as in `filesQuery`. */
export const place = {
  page: z.optional(
    z
      .pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, messageName("notPage"))), z.transform(Number))
      .check(z.maximum(ADMIN_COUNTED_ROWS / ADMIN_PAGE_SIZE)),
  ),
  cursor: z.optional(pageCursor),
};
const q = z.optional(z.string().check(z.trim(), z.maxLength(254)));

/** Without a query the response is the first page as an array. */
export const USER_ORDERS = ["newest", "oldest", "email"] as const;
export type UserOrder = (typeof USER_ORDERS)[number];
export const adminUsersQuery = z.object({
  ...place,
  /** A prefix of the email address, or an id. Results are sorted by address. */
  q,
  sort: z.optional(z.enum(USER_ORDERS)),
});
export type AdminUsersQuery = z.infer<typeof adminUsersQuery>;

export const adminUserFilesQuery = z.object({
  ...place,
  /** Part of a filename. */
  q,
  sort: z.optional(z.enum(FILE_ORDERS)),
});
export type AdminUserFilesQuery = z.infer<typeof adminUserFilesQuery>;

export const EXPIRED_ORDERS = ["newest", "oldest"] as const;
export const expiredFilesQuery = z.object({
  ...place,
  /** A prefix of the filename. Results are sorted by name. */
  q,
  /** The order of the files by expiry time. */
  sort: z.optional(z.enum(EXPIRED_ORDERS)),
});
export type ExpiredFilesQuery = z.infer<typeof expiredFilesQuery>;

/** Finds a file by its id, download id or link. */
export const findFileQuery = z.object({
  q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

export const CONTACT_ORDERS = ["newest", "oldest"] as const;
export const contactMessagesQuery = z.object({
  ...place,
  /** A prefix of the sender's address. Results are sorted by address. */
  q,
  sort: z.optional(z.enum(CONTACT_ORDERS)),
});
export type ContactMessagesQuery = z.infer<typeof contactMessagesQuery>;

/** The outcomes by which the upload log can be filtered. */
export const UPLOAD_OUTCOMES = ["success", "failed", "rejected"] as const;
const day = z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, messageName("notDay"))));
export const uploadLogQuery = z.object({
  ...place,
  userId: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  status: z.optional(z.enum(UPLOAD_OUTCOMES)),
  /** First and last day, UTC. */
  from: day,
  to: day,
});
export type UploadLogQuery = z.infer<typeof uploadLogQuery>;

export const ADMIN_ACTIONS = [
  "admin.login",
  "admin.logout",
  "user.email",
  "user.plan",
  "user.promote",
  "user.demote",
  "user.second-factor",
  "user.delete",
  "user.suspend",
  "user.restore",
  "user.trust",
  "file.delete",
  "file.take-down",
  "contact.read",
  "contact.delete",
  "report.settle",
  "report.reveal-key",
  "case.close",
  "file.hold",
  "file.release",
  "file.keep",
  "file.discard",
  "seo.create",
  "seo.update",
  "seo.delete",
  "content.create",
  "content.update",
  "content.delete",
  "block-list.add",
  "block-list.remove",
  "mail.test",
  "orphans.approve",
] as const;
export type AdminAction = (typeof ADMIN_ACTIONS)[number];
export const adminLogQuery = z.object({
  ...place,
  action: z.optional(z.enum(ADMIN_ACTIONS)),
  /** The id of the changed record. */
  target: z.optional(z.string().check(z.trim(), z.maxLength(254))),
});
export type AdminLogQuery = z.infer<typeof adminLogQuery>;

export const REPORT_STATES = ["open", "settled"] as const;
export const reportsQuery = z.object({
  ...place,
  /** By default `open`. */
  state: z.optional(z.enum(REPORT_STATES)),
});
export type ReportsQuery = z.infer<typeof reportsQuery>;

function isIsoTimestamp(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

/** Approves the deletion of every orphan first seen up to `asOf`, which the overview reported. */
export const approveOrphansRequest = z.object({
  asOf: z.string().check(z.refine(isIsoTimestamp, messageName("notMoment"))),
});

/** `after`: the object key with which the previous window of the reconciliation ended. */
export const reconciliationQuery = z.object({ after: z._default(z.string().check(z.maxLength(1024)), "") });

export const OVERVIEW_DAYS = [7, 30, 90] as const;
export const overviewQuery = z.object({
  days: z._default(z.enum({ week: "7", month: "30", quarter: "90" }), "30"),
});
export type OverviewQuery = z.infer<typeof overviewQuery>;

const sha256 = z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-f]{64}$/, messageName("notSum")));
const blockLabel = requiredText("labelMissing", BLOCK_LABEL_MAX_LENGTH, "labelLong");
/** `q`: a sum. */
export const blockListQuery = z.object({ q: z.optional(sha256) });
export type BlockListQuery = z.infer<typeof blockListQuery>;
/** `list`: one SHA-256 a line; what stands behind it is its label, else `label` is. */
export const importBlockListRequest = z.object({
  label: blockLabel,
  list: z.string(messageName("sumsMissing")).check(z.minLength(1, messageName("sumsMissing"))),
});
export type ImportBlockListRequest = z.infer<typeof importBlockListRequest>;
/** One sum, or all sums of a label. */
export const removeBlockedRequest = z.union([z.strictObject({ sha256 }), z.strictObject({ label: blockLabel })]);
export type RemoveBlockedRequest = z.infer<typeof removeBlockedRequest>;
