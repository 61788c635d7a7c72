import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { PLAN_IDS } from "../plans.ts";
import { FILE_ORDERS } from "./files.ts";

/** What an administrator logs in with (specification 2 section 5): the settings' name, or an account's address. */
const ADMIN_TEXT_MAX_LENGTH = 254;
export const adminLoginRequest = z.object({
  username: z
    .string(messageName("usernameMissing"))
    .check(
      z.trim(),
      z.minLength(1, messageName("usernameMissing")),
      z.maxLength(ADMIN_TEXT_MAX_LENGTH, messageName("usernameLong")),
    ),
  password: z
    .string(messageName("passwordMissing"))
    .check(
      z.minLength(1, messageName("passwordMissing")),
      z.maxLength(ADMIN_TEXT_MAX_LENGTH, messageName("loginPasswordLong")),
    ),
});
export type AdminLoginRequest = z.infer<typeof adminLoginRequest>;

/** The addresses that the admin area takes (specification 2 section 5): letters, digits, dot, underscore, hyphen. */
export const ADMIN_EMAIL = /^[a-zA-Z0-9._-]+@[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*\.[a-zA-Z]{2,}$/;
export const adminEmailRequest = z.object({
  email: z
    .string(messageName("emailFormat"))
    .check(
      z.trim(),
      z.toLowerCase(),
      z.maxLength(254, messageName("emailFormat")),
      z.regex(ADMIN_EMAIL, messageName("emailFormat")),
    ),
});
export const adminPlanRequest = z.object({
  planType: z.enum(PLAN_IDS),
});
export const adminRoleRequest = z.object({ isAdmin: z.boolean() });

/** The reason for taking a file down, as its owner reads it. */
export const REASON_MAX_LENGTH = 500;
export const takeDownRequest = z.object({
  reason: z
    .string(messageName("takeDownReasonMissing"))
    .check(
      z.trim(),
      z.minLength(3, messageName("takeDownReasonMissing")),
      z.maxLength(REASON_MAX_LENGTH, messageName("takeDownReasonLong")),
    ),
});

/** What a visitor may report about a file. */
export const REPORT_REASONS = ["malware", "illegal", "copyright", "privacy", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
export const REPORT_MESSAGE_MAX_LENGTH = 1000;
export const reportRequest = z.object({
  reason: z.enum(REPORT_REASONS, messageName("reasonMissing")),
  message: z._default(
    z.string().check(z.trim(), z.maxLength(REPORT_MESSAGE_MAX_LENGTH, messageName("reportLong"))),
    "",
  ),
  /** For questions; "" or left out for none. */
  email: z._default(
    z.union([z.literal(""), z.string().check(z.trim(), z.maxLength(254), z.email())], {
      error: messageName("emailWrong"),
    }),
    "",
  ),
});
export type ReportRequest = z.infer<typeof reportRequest>;

/** How a report is settled: the file stays, or it is taken down with that note as its reason. */
export const REPORT_OUTCOMES = ["dismissed", "taken-down"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];
export const settleReportRequest = z
  .object({
    outcome: z.enum(REPORT_OUTCOMES),
    note: z._default(z.string().check(z.trim(), z.maxLength(REASON_MAX_LENGTH)), ""),
  })
  .check(
    z.refine(({ outcome, note }) => outcome === "dismissed" || note.length >= 3, {
      message: messageName("takeDownReasonMissing"),
      path: ["note"],
    }),
  );
export type SettleReportRequest = z.infer<typeof settleReportRequest>;

/** How many rows one page of a list of the admin area holds. */
export const ADMIN_PAGE_SIZE = 100;
/** Rows of a list are counted and paged up to here: who looks further searches, or sorts the other way round. */
export const ADMIN_COUNTED_ROWS = 10_000;

const page = z.optional(
  z
    .pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, messageName("notPage"))), z.transform(Number))
    .check(z.maximum(ADMIN_COUNTED_ROWS / ADMIN_PAGE_SIZE)),
);
const q = z.optional(z.string().check(z.trim(), z.maxLength(254)));

/** `?page=&q=&sort=`: without any of them the answer is the first page as an array. */
export const USER_ORDERS = ["newest", "oldest", "email"] as const;
export const adminUsersQuery = z.object({
  page,
  /** How the address begins, or a whole id. A search is ordered by address. */
  q,
  sort: z.optional(z.enum(USER_ORDERS)),
});
export type AdminUsersQuery = z.infer<typeof adminUsersQuery>;

export const adminUserFilesQuery = z.object({
  page,
  /** Found anywhere in a file's name. */
  q,
  sort: z.optional(z.enum(FILE_ORDERS)),
});
export type AdminUserFilesQuery = z.infer<typeof adminUserFilesQuery>;

export const EXPIRED_ORDERS = ["newest", "oldest"] as const;
export const expiredFilesQuery = z.object({
  page,
  /** How the name begins. A search is ordered by name. */
  q,
  /** By the moment they expired. */
  sort: z.optional(z.enum(EXPIRED_ORDERS)),
});
export type ExpiredFilesQuery = z.infer<typeof expiredFilesQuery>;

/** One file, by its id, its download id or its link. */
export const findFileQuery = z.object({
  q: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

export const CONTACT_ORDERS = ["newest", "oldest"] as const;
export const contactQuery = z.object({
  page,
  /** How the sender's address begins. A search is ordered by address. */
  q,
  sort: z.optional(z.enum(CONTACT_ORDERS)),
});
export type ContactQuery = z.infer<typeof contactQuery>;

/** `?page=` and filters, each exact; newest first. */
export const UPLOAD_OUTCOMES = ["success", "failed", "rejected"] as const;
const day = z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, messageName("notDay"))));
export const uploadLogQuery = z.object({
  page,
  userId: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  status: z.optional(z.enum(UPLOAD_OUTCOMES)),
  /** The first and the last day, UTC. */
  from: day,
  to: day,
});
export type UploadLogQuery = z.infer<typeof uploadLogQuery>;

/** Everything that an administrator does and that changes something. */
export const ADMIN_ACTIONS = [
  "admin.login",
  "admin.logout",
  "user.email",
  "user.plan",
  "user.promote",
  "user.demote",
  "user.delete",
  "file.delete",
  "file.take-down",
  "contact.read",
  "contact.delete",
  "report.settle",
  "seo.create",
  "seo.update",
  "seo.delete",
  "content.create",
  "content.update",
  "content.delete",
  "mail.test",
  "orphans.approve",
] as const;
export type AdminAction = (typeof ADMIN_ACTIONS)[number];
export const adminLogQuery = z.object({
  page,
  action: z.optional(z.enum(ADMIN_ACTIONS)),
  /** The id of what was changed. */
  target: z.optional(z.string().check(z.trim(), z.maxLength(254))),
});
export type AdminLogQuery = z.infer<typeof adminLogQuery>;

export const REPORT_STATES = ["open", "settled"] as const;
export const reportsQuery = z.object({
  page,
  /** Open ones when left out. */
  state: z.optional(z.enum(REPORT_STATES)),
});
export type ReportsQuery = z.infer<typeof reportsQuery>;

function isMoment(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
}

/** Approves the deletion of every orphan that was first seen until that moment, which the overview has named. */
export const approveOrphansRequest = z.object({
  asOf: z.string().check(z.refine(isMoment, messageName("notMoment"))),
});
export type ApproveOrphansRequest = z.infer<typeof approveOrphansRequest>;

/** How far back the overview looks. */
export const OVERVIEW_DAYS = [7, 30, 90] as const;
/** A reconciliation looks at what comes after this key. */
export const reconciliationQuery = z.object({ after: z._default(z.string().check(z.maxLength(1024)), "") });

export const overviewQuery = z.object({
  days: z._default(z.enum({ week: "7", month: "30", quarter: "90" }), "30"),
});
export type OverviewQuery = z.infer<typeof overviewQuery>;
