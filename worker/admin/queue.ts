import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import type { CaseOutcome } from "#domain/moderation/cases.ts";
import type {
  AdminViewer,
  CaseAction,
  CaseDetails,
  CasesQuery,
  CloseCaseRequest,
  Paged,
  QueueCase,
} from "#domain/wire.ts";
import { closeCase, findCase, listCases, listCasesOf, trustAccount, type QueueRow } from "../db/cases.ts";
import { listFilesOf } from "../db/files.ts";
import { toPage } from "../db/paging.ts";
import { listOpenReportsOf, listReportsOf, settleReport, type SettledReport } from "../db/reports.ts";
import { findStatementById } from "../db/statements.ts";
import { findMailReader } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { mailedName } from "../links/describe-link.ts";
import { linkReleasedMessage, objectionDecidedMessage } from "../mail/messages/moderation.tsx";
import { notify } from "../mail/outbox.ts";
import { tellReporters } from "../moderation/reporters.ts";
import { restoreAccount, suspendAccount } from "../moderation/suspension.ts";
import type { Services } from "../services.ts";
import { toIso } from "../urls.ts";
import { describeFile, takeDown } from "./files.ts";
import { describeReport, settleFileReport } from "./reports.ts";

/** @param now epoch milliseconds */
export async function listQueue({ db }: Services, query: CasesQuery, now: number): Promise<Paged<QueueCase>> {
  return toPage(await listCases(db, query), (row) => describe(row, now));
}

/** How many other files of the account are shown beside a case. */
const OTHER_FILES = 20;

/** A case, with everything else of its account. @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function getCase({ db }: Services, id: string, now: number): Promise<CaseDetails> {
  const row = await getCaseRow(db, id);
  const { file, account } = row;
  const [reports, files, cases] = await Promise.all([
    file === null ? [] : listReportsOf(db, file.id),
    account === null ? null : listFilesOf(db, account.id, { order: "newest", search: "" }),
    account === null ? [] : listCasesOf(db, account.id, id),
  ]);
  const others = (files?.rows ?? []).filter((other) => other.id !== file?.id);
  return {
    case: describe(row, now),
    reports: reports.map((report) => describeReport(report, file, null, now)),
    files: others.slice(0, OTHER_FILES).map((other) => describeFile(other, now)),
    cases: cases.map((other) => describe(other, now)),
  };
}

/**
 * Does one thing with a case, and closes it. Every action is in the admin log.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND; CASE_CLOSED; BAD_REQUEST for an action that this case does not have; SUSPENDS_ITSELF;
 * LAST_ADMIN
 */
export async function actOnCase(
  services: Services,
  admin: AdminViewer,
  id: string,
  request: CloseCaseRequest,
  now: number,
): Promise<void> {
  const row = await getCaseRow(services.db, id);
  if (row.case.closedAt !== null) throw new AppError("CASE_CLOSED");
  const { action } = request;
  if (!actionsOf(row, now).includes(action))
    throw localizedError("BAD_REQUEST", "noSuchAction", {}, { field: "action" });
  await ACTIONS[action]({ services, admin, row, request, now });
}

interface Acting {
  services: Services;
  admin: AdminViewer;
  row: QueueRow;
  request: CloseCaseRequest;
  now: number;
}

/** What each action does before or while it closes the case. */
const ACTIONS: Record<CaseAction, (acting: Acting) => Promise<void>> = {
  dismiss: release,
  allow: async (acting) => {
    const { services, admin, row, now } = acting;
    await release(acting);
    if (row.account === null) return;
    const { id: target, email: details } = row.account;
    await trustAccount(services.db, { admin, action: "user.trust", target, details, at: now });
  },
  "take-down": async (acting) => {
    const { services, admin, row, request, now } = acting;
    const [report] = await openReports(acting);
    const decided = { reason: request.note, ground: request.ground };
    if (report) await settleFileReport(services, admin, report.id, settlement("taken-down", request), now);
    else if (row.file !== null) await takeDown(services, admin, row.file.id, decided, now);
    await close(acting, "taken-down");
    await answerObjection(acting, "taken-back");
  },
  suspend: async (acting) => {
    const { services, admin, row, request, now } = acting;
    if (row.account === null) throw localizedError("NOT_FOUND", "noSuchUser", {});
    const decided = { reason: request.note, ground: request.ground };
    if (row.account.suspendedAt === null) await suspendAccount(services, admin, row.account.id, decided, now);
    await settleAll(acting, "suspended");
    await close(acting, "suspended");
    await answerObjection(acting, "taken-back");
  },
  uphold: async (acting) => {
    await close(acting, "upheld");
    await answerObjection(acting, "stays");
  },
  restore: async (acting) => {
    const { services, admin, row, now } = acting;
    const isSuspended = row.account !== null && row.account.suspendedAt !== null;
    if (isSuspended && row.account !== null) await restoreAccount(services, admin, row.account.id, now);
    await close(acting, "restored");
    await answerObjection(acting, isSuspended ? "taken-back" : "file-gone");
  },
};

/** Closes the case and its reports as unfounded, and lets the link go on unless another case of it is open. */
async function release(acting: Acting): Promise<void> {
  const { services, row } = acting;
  await settleAll(acting, "dismissed");
  await close(acting, row.case.kind === "report" ? "dismissed" : "allowed");
  const after = await findCase(services.db, row.case.id);
  const wasHeld = row.file !== null && row.file.heldAt !== null && row.file.keptAt === null;
  if (!wasHeld || after?.file?.heldAt !== null || row.file?.userId == null) return;
  const reader = await findMailReader(services.db, row.file.userId);
  if (reader) await notify(services.outbox, linkReleasedMessage(reader, mailedName(row.file)));
}

/** Does nothing if the settlement of the case's reports has closed the case already. */
async function close({ services, admin, row, request, now }: Acting, outcome: CaseOutcome): Promise<void> {
  const { id, kind } = row.case;
  const details = [`${kind}: ${outcome}`, request.note].filter((text) => text !== "").join(": ");
  const entry = { admin, action: "case.close", target: id, details, at: now } as const;
  const goesOn = outcome === "dismissed" || outcome === "allowed";
  await closeCase(services.db, row.case, outcome, entry, goesOn);
}

function openReports({ services, row }: Acting) {
  if (row.case.kind !== "report") return [];
  return row.case.fileId === null ? [] : listOpenReportsOf(services.db, row.case.fileId);
}

function settlement(outcome: "dismissed" | "taken-down", { note, ground }: CloseCaseRequest) {
  return { outcome, note, ground, whole: true };
}

async function settleAll(acting: Acting, outcome: "dismissed" | "suspended"): Promise<void> {
  const { services, admin, row, request, now } = acting;
  const told: SettledReport[] = [];
  for (const { id, fileId } of await openReports(acting)) {
    const details = request.note === "" ? outcome : `${outcome}: ${request.note}`;
    const entry = { admin, action: "report.settle", target: id, details, at: now } as const;
    const { note } = request;
    const settled = await settleReport(services.db, { id, fileId }, { outcome, note, takenDownEntry: null }, entry);
    told.push(...(settled?.reports ?? []));
  }
  await tellReporters(services, told, row.file, { isTakenDown: outcome === "suspended", reason: request.note }, now);
}

/** Tells whoever has objected what became of it. Does nothing for other cases. */
async function answerObjection(
  { services, row, request }: Acting,
  outcome: "stays" | "taken-back" | "file-gone",
): Promise<void> {
  if (row.case.kind !== "objection") return;
  const statement = await findStatementById(services.db, String(row.case.detail["statement"] ?? ""));
  if (statement?.email == null) return;
  const { email, locale, about } = statement;
  await notify(services.outbox, objectionDecidedMessage({ email, locale }, about, outcome, request.note));
}

async function getCaseRow(db: Services["db"], id: string): Promise<QueueRow> {
  const row = await findCase(db, id);
  if (!row) throw localizedError("NOT_FOUND", "noSuchCase", {});
  return row;
}

function actionsOf({ case: { kind, closedAt, detail }, file, account }: QueueRow, now: number): CaseAction[] {
  if (closedAt !== null) return [];
  const isUp = file !== null && !file.adminDeleted && !isExpired(file.expiresAt?.getTime() ?? null, now);
  const taken = isUp ? (["take-down"] as const) : [];
  const suspended = account?.suspendedAt === null && account.deletedAt === null ? (["suspend"] as const) : [];
  switch (kind) {
    case "objection":
      // Who reported a link objects that nothing was done; an owner objects that something was.
      return detail["reader"] === "reporter" ? ["uphold", ...taken, ...suspended] : ["uphold", "restore"];
    case "unusual":
      return ["allow", ...taken, ...suspended];
    case "report":
    case "scan":
    case "blocked":
      return ["dismiss", ...taken, ...suspended];
  }
}

function describe({ case: row, file, account }: QueueRow, now: number): QueueCase {
  const { id, kind, openedAt, count, latestAt, detail, closedAt, closedBy, outcome } = row;
  return {
    id,
    kind,
    openedAt: openedAt.toISOString(),
    count,
    latestAt: latestAt.toISOString(),
    detail,
    file: file && describeFile(file, now),
    isKept: file !== null && file.keptAt !== null,
    account: account && {
      id: account.id,
      email: account.email,
      createdAt: account.createdAt.toISOString(),
      suspendedAt: toIso(account.suspendedAt?.getTime() ?? null),
      isDeleting: account.deletedAt !== null,
    },
    actions: actionsOf({ case: row, file, account }, now),
    closed: closedAt && outcome ? { at: closedAt.toISOString(), by: closedBy ?? "", outcome } : null,
  };
}
