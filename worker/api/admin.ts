import type { Context } from "hono";
import type { ADMIN_CALLS } from "#domain/calls/admin.ts";
import type { Paged } from "#domain/wire.ts";
import { removeContactMessage, getContactMessages, setContactMessageRead } from "../admin/contact-messages.ts";
import { exportBlockList, importBlockList, readBlockListPage, removeFromBlockList } from "../admin/block-list.ts";
import {
  deleteFileAsAdmin,
  getAnyFile,
  listExpiredFiles,
  listFileEntries,
  listUserFiles,
  takeDown,
} from "../admin/files.ts";
import { listAdminLog, listLastRuns, listUploadLog } from "../admin/logs.ts";
import { getOverview } from "../admin/overview.ts";
import { getReconciliation, approveOrphans } from "../admin/reconciliation.ts";
import { listFileReports, revealReportKey, settleFileReport } from "../admin/reports.ts";
import { askToRemoveFactor, describeFactorOf, removeFactorOf } from "../admin/second-factor.ts";
import { takeDownEntry } from "../admin/take-down-entry.ts";
import { changeUserEmail, changeUserPlan, changeUserRole, deleteUser, getUser, listAllUsers } from "../admin/users.ts";
import type { AppEnv } from "../app-env.ts";
import { inspectWindow } from "../sweep/reconciliation.ts";
import type { Handlers } from "./mount.ts";

/** If the request has no query, answers the first page as a plain array (decision 018). */
async function answerPage<Page extends Paged<unknown>>(c: Context<AppEnv>, query: object, found: Promise<Page>) {
  const page = await found;
  return Object.keys(query).length === 0 ? c.json(page.items) : page;
}

export const adminHandlers: Handlers<typeof ADMIN_CALLS> = {
  "GET /api/admin/users": ({ c, services, query }) => answerPage(c, query, listAllUsers(services, query)),
  "GET /api/admin/users/:id": ({ services, params }) => getUser(services, params.id),
  "GET /api/admin/users/:id/files": ({ c, services, params, query, now }) =>
    answerPage(c, query, listUserFiles(services, params.id, query, now)),
  "DELETE /api/admin/users/:id": ({ services, admin, params, now }) => deleteUser(services, admin, params.id, now),
  "GET /api/admin/users/:id/second-factor": ({ services, params, now }) => describeFactorOf(services, params.id, now),
  "POST /api/admin/users/:id/second-factor/removal": ({ services, admin, params, now }) =>
    askToRemoveFactor(services, admin, params.id, now),
  "DELETE /api/admin/users/:id/second-factor": ({ services, admin, params, now }) =>
    removeFactorOf(services, admin, params.id, now),
  "PUT /api/admin/user/email/:id": ({ services, admin, params, body, now }) =>
    changeUserEmail(services, admin, params.id, body.email, now),
  "PUT /api/admin/user/plan/:id": ({ services, admin, params, body, now }) =>
    changeUserPlan(services, admin, params.id, body.planType, now),
  "PUT /api/admin/user/admin/:id": ({ services, admin, params, body, now }) =>
    changeUserRole(services, admin, params.id, body.isAdmin, now),

  "GET /api/admin/files": ({ services, query, now }) => getAnyFile(services, query.q, now),
  "GET /api/admin/files/expired": ({ c, services, query, now }) =>
    answerPage(c, query, listExpiredFiles(services, query, now)),
  "GET /api/admin/files/:id/entries": ({ services, params, query }) => listFileEntries(services, params.id, query.from),
  "POST /api/admin/files/:id/take-down": ({ services, admin, params, body, now }) =>
    takeDown(services, admin, params.id, body, now),
  "POST /api/admin/files/:id/entries/:n/take-down": ({ services, admin, params, body, now }) =>
    takeDownEntry(services, admin, params, body, now),
  "DELETE /api/admin/files/:id": ({ services, admin, params, now }) =>
    deleteFileAsAdmin(services, admin, params.id, now),

  "GET /api/admin/contact-submissions": ({ c, services, query }) =>
    answerPage(c, query, getContactMessages(services, query)),
  "PUT /api/admin/contact-submissions/:id/mark-read": ({ services, admin, params, now }) =>
    setContactMessageRead(services, admin, params.id, now),
  "DELETE /api/admin/contact-submissions/:id": ({ services, admin, params, now }) =>
    removeContactMessage(services, admin, params.id, now),
  "GET /api/admin/reports": ({ c, services, query, now }) =>
    answerPage(c, query, listFileReports(services, query, now)),
  "POST /api/admin/reports/:id/shared-key": ({ context, admin, params, now }) =>
    revealReportKey(context, admin, params.id, now),
  "PUT /api/admin/reports/:id": ({ services, admin, params, body, now }) =>
    settleFileReport(services, admin, params.id, body, now),

  "GET /api/admin/block-list": ({ services, query }) => readBlockListPage(services, query),
  "POST /api/admin/block-list": ({ services, admin, body, now }) => importBlockList(services, admin, body, now),
  "GET /api/admin/block-list/export": ({ services }) => exportBlockList(services),
  "POST /api/admin/block-list/removal": ({ services, admin, body, now }) =>
    removeFromBlockList(services, admin, body, now),

  "GET /api/admin/overview": ({ services, query, now }) => getOverview(services, query, now),
  "GET /api/admin/upload-log": ({ c, services, query }) => answerPage(c, query, listUploadLog(services, query)),
  "GET /api/admin/admin-log": ({ c, services, query }) => answerPage(c, query, listAdminLog(services, query)),
  "GET /api/admin/sweep-runs": ({ services }) => listLastRuns(services),
  "GET /api/admin/reconciliation": ({ services }) => getReconciliation(services),
  "GET /api/admin/reconciliation/window": ({ services, query, now }) => inspectWindow(services, query.after, now),
  "POST /api/admin/orphans/approve": async ({ services, admin, body, now }) => ({
    approved: await approveOrphans(services, admin, Date.parse(body.asOf), now),
  }),
};
