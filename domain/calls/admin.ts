import { MAX_IMPORT_BYTES } from "../moderation/block-list.ts";
import * as wire from "../wire.ts";
import { administrator, anybody, confirmedAdministrator, json } from "./call.ts";

const signedIn = json<wire.AdminLoginAnswer>();

/** Calls with which administrators sign in, and confirm who they are. */
export const ADMIN_SESSION_CALLS = {
  "POST /api/admin/login": anybody("adminLogin", { handler: "limits", body: wire.adminLoginRequest, answer: signedIn }),
  "POST /api/admin/second-factor": anybody("secondStep", { body: wire.adminSecondFactorRequest, answer: signedIn }),
  // Options for confirming need an admin session, but options for signing in do not.
  "POST /api/admin/passkey/options": anybody("passkey", {
    body: wire.passkeyOptionsRequest,
    answer: json<wire.PasskeyRequestOptions>(),
  }),
  "POST /api/admin/passkey/login": anybody("passkey", { body: wire.adminPasskeyRequest, answer: signedIn }),
  "POST /api/admin/confirm": administrator("confirm", {
    handler: "limits",
    body: wire.adminConfirmRequest,
    answer: json<wire.ConfirmAnswer>(),
  }),
  "POST /api/admin/logout": anybody("ends its own session", { says: "Admin session ended successfully" }),
  "GET /api/admin/auth-check": anybody("reads what is public", { answer: json<{ isAdmin: boolean }>() }),
};

const user = json<wire.AdminUser>();

/** Lists answer their first page as a plain array if the query is empty (decision 018). */
export const ADMIN_CALLS = {
  "GET /api/admin/users": administrator({ query: wire.adminUsersQuery, answer: json<wire.Paged<wire.AdminUser>>() }),
  "GET /api/admin/users/:id": administrator({ answer: user }),
  "GET /api/admin/users/:id/files": administrator({
    query: wire.adminUserFilesQuery,
    answer: json<wire.Paged<wire.AdminFile>>(),
  }),
  "DELETE /api/admin/users/:id": confirmedAdministrator({
    status: 202,
    says: "The user is being deleted. Their links and sessions have ended.",
  }),
  "GET /api/admin/users/:id/second-factor": administrator({ answer: json<wire.AdminFactorState>() }),
  "POST /api/admin/users/:id/second-factor/removal": confirmedAdministrator({
    status: 202,
    answer: json<wire.AskedRemoval>(),
  }),
  "DELETE /api/admin/users/:id/second-factor": confirmedAdministrator({ says: "The second factor is removed." }),
  "PUT /api/admin/user/email/:id": confirmedAdministrator({ body: wire.adminEmailRequest, answer: user }),
  "PUT /api/admin/user/plan/:id": administrator({ body: wire.adminPlanRequest, answer: user }),
  "PUT /api/admin/user/admin/:id": confirmedAdministrator({ body: wire.adminRoleRequest, answer: user }),

  "GET /api/admin/files": administrator({ query: wire.findFileQuery, answer: json<wire.AdminFile>() }),
  "GET /api/admin/files/expired": administrator({
    query: wire.expiredFilesQuery,
    answer: json<wire.Paged<wire.AdminFile>>(),
  }),
  "GET /api/admin/files/:id/entries": administrator({ query: wire.entriesQuery, answer: json<wire.ListedEntries>() }),
  "POST /api/admin/files/:id/take-down": administrator({
    body: wire.takeDownRequest,
    says: "The file was taken down. Its link has ended.",
  }),
  "POST /api/admin/files/:id/entries/:n/take-down": administrator({
    params: { n: wire.entryParam },
    body: wire.takeDownRequest,
    says: "The file was taken down. It can no longer be downloaded.",
  }),
  "DELETE /api/admin/files/:id": administrator({ says: "The file has been successfully deleted" }),

  "GET /api/admin/contact-submissions": administrator({
    query: wire.contactMessagesQuery,
    answer: json<wire.ContactMessagesPage>(),
  }),
  "PUT /api/admin/contact-submissions/:id/mark-read": administrator({ says: "Submission marked as read" }),
  "DELETE /api/admin/contact-submissions/:id": administrator({ says: "Submission deleted successfully" }),
  "GET /api/admin/reports": administrator({ query: wire.reportsQuery, answer: json<wire.Paged<wire.FileReport>>() }),
  "POST /api/admin/reports/:id/shared-key": administrator({ answer: json<wire.RevealedKey>() }),
  "PUT /api/admin/reports/:id": administrator({ body: wire.settleReportRequest, says: "The report is settled." }),

  "GET /api/admin/block-list": administrator({ query: wire.blockListQuery, answer: json<wire.BlockList>() }),
  "POST /api/admin/block-list": administrator({
    body: wire.importBlockListRequest,
    maxBytes: MAX_IMPORT_BYTES,
    answer: json<wire.ImportedBlockList>(),
  }),
  "GET /api/admin/block-list/export": administrator(),
  "POST /api/admin/block-list/removal": administrator({
    body: wire.removeBlockedRequest,
    answer: json<{ removed: number }>(),
  }),

  "GET /api/admin/overview": administrator({ query: wire.overviewQuery, answer: json<wire.Overview>() }),
  "GET /api/admin/upload-log": administrator({
    query: wire.uploadLogQuery,
    answer: json<wire.Paged<wire.UploadLogEntry>>(),
  }),
  "GET /api/admin/admin-log": administrator({
    query: wire.adminLogQuery,
    answer: json<wire.Paged<wire.AdminLogEntry>>(),
  }),
  "GET /api/admin/sweep-runs": administrator({ answer: json<wire.SweepRun[]>() }),
  "GET /api/admin/reconciliation": administrator({ answer: json<wire.ReconciliationReport>() }),
  "GET /api/admin/reconciliation/window": administrator({
    query: wire.reconciliationQuery,
    answer: json<wire.ReconciliationWindow>(),
  }),
  "POST /api/admin/orphans/approve": administrator({
    body: wire.approveOrphansRequest,
    answer: json<{ approved: number }>(),
  }),
};
