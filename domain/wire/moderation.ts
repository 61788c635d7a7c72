import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import type { CaseDetail, CaseKind, CaseOutcome } from "../moderation/cases.ts";
import type { AdminFile, FileReport } from "./admin-answers.ts";
import { ground, place, REASON_MAX_LENGTH, takeDownRequest } from "./admin.ts";

export const suspendRequest = takeDownRequest;
export type SuspendRequest = z.infer<typeof suspendRequest>;

export const CASE_STATES = ["open", "closed"] as const;
export const casesQuery = z.object({
  ...place,
  /** By default `open`. */
  state: z.optional(z.enum(CASE_STATES)),
});
export type CasesQuery = z.infer<typeof casesQuery>;

/**
 * What an administrator can do with a case. `dismiss`: nothing was wrong, and the link goes on. `allow`: also lifts the
 * limits of new accounts. `uphold`: an objection changes nothing. `restore`: an objection was right.
 */
export const CASE_ACTIONS = ["dismiss", "allow", "take-down", "suspend", "uphold", "restore"] as const;
export type CaseAction = (typeof CASE_ACTIONS)[number];
/** Actions whose reason the owner is mailed. */
const NEEDS_REASON: readonly CaseAction[] = ["take-down", "suspend"];

export const closeCaseRequest = z
  .object({
    action: z.enum(CASE_ACTIONS),
    note: z._default(z.string().check(z.trim(), z.maxLength(REASON_MAX_LENGTH, messageName("takeDownReasonLong"))), ""),
    ground,
  })
  .check(
    z.refine(({ action, note }) => !NEEDS_REASON.includes(action) || note.length >= 3, {
      message: messageName("takeDownReasonMissing"),
      path: ["note"],
    }),
  );
export type CloseCaseRequest = z.infer<typeof closeCaseRequest>;

/** The account that a case is about. Dates are ISO 8601. */
export interface CaseAccount {
  id: string;
  email: string;
  createdAt: string;
  suspendedAt: string | null;
  isDeleting: boolean;
}

/** A row of the administrator's queue. Dates are ISO 8601. */
export interface QueueCase {
  id: string;
  kind: CaseKind;
  openedAt: string;
  /** How many times the reason of the case has come up, and when it did last. */
  count: number;
  latestAt: string;
  detail: CaseDetail;
  /** Null for a case about an account, and once the file's row is deleted. */
  file: AdminFile | null;
  /** Whether nobody can open the file, because it is kept for the authorities. */
  isKept: boolean;
  account: CaseAccount | null;
  /** What can be done now. Empty for a closed case. */
  actions: CaseAction[];
  /** Null while the case is open. */
  closed: { at: string; by: string; outcome: CaseOutcome } | null;
}

/** A case with everything else of its account. */
export interface CaseDetails {
  case: QueueCase;
  /** The newest reports of the file. */
  reports: FileReport[];
  /** The account's newest files, without the case's own. */
  files: AdminFile[];
  /** The account's other cases, newest first. */
  cases: QueueCase[];
}

export const moderationYearQuery = z.object({
  year: z.pipe(z.string().check(z.regex(/^20\d\d$/)), z.transform(Number)),
});
