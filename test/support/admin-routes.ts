import * as wire from "#domain/wire.ts";
import { admin, type Route } from "./route.ts";
import { SAMPLES, UNKNOWN_ASSERTION } from "./samples.ts";

/** Calls of the admin area. */
export const ADMIN_ROUTES: Record<string, Route> = {
  "POST /api/admin/login": {
    who: "anybody",
    limit: "adminLogin",
    schema: wire.adminLoginRequest,
    others: 401,
    own: 401,
    body: ({ owner }) => ({ username: owner.email, password: "a good password" }),
  },
  "POST /api/admin/second-factor": {
    who: "anybody",
    limit: "secondStep",
    schema: wire.adminSecondFactorRequest,
    others: 401,
    own: 401,
    body: () => ({ code: "123456" }),
  },
  "POST /api/admin/passkey/options": {
    who: "anybody",
    limit: "passkey",
    schema: wire.passkeyOptionsRequest,
    body: () => ({ purpose: "login" }),
  },
  "POST /api/admin/passkey/login": {
    who: "anybody",
    limit: "passkey",
    schema: wire.adminPasskeyRequest,
    others: 401,
    own: 401,
    body: () => ({ credential: UNKNOWN_ASSERTION }),
  },
  "POST /api/admin/confirm": admin({
    limit: "confirm",
    schema: wire.adminConfirmRequest,
    own: 403,
    body: () => ({ password: "a wrong password" }),
  }),
  "POST /api/admin/logout": { who: "anybody", limit: "ends its own session" },
  "GET /api/admin/auth-check": { who: "anybody", limit: "reads what is public" },
  "GET /api/admin/users": admin({ query: wire.adminUsersQuery }),
  "GET /api/admin/users/:id": admin({ path: ({ owner }) => `/api/admin/users/${owner.id}` }),
  "GET /api/admin/users/:id/files": admin({
    query: wire.adminUserFilesQuery,
    path: ({ owner }) => `/api/admin/users/${owner.id}/files`,
  }),
  "GET /api/admin/users/:id/second-factor": admin({
    path: ({ owner }) => `/api/admin/users/${owner.id}/second-factor`,
  }),
  "POST /api/admin/users/:id/second-factor/removal": admin({
    path: ({ owner }) => `/api/admin/users/${owner.id}/second-factor/removal`,
    own: 404,
  }),
  "DELETE /api/admin/users/:id/second-factor": admin({
    path: ({ owner }) => `/api/admin/users/${owner.id}/second-factor`,
    own: 409,
  }),
  "PUT /api/admin/user/email/:id": admin({
    schema: wire.adminEmailRequest,
    path: ({ owner }) => `/api/admin/user/email/${owner.id}`,
    body: () => ({ email: `new-${crypto.randomUUID()}@example.com` }),
  }),
  "PUT /api/admin/user/plan/:id": admin({
    schema: wire.adminPlanRequest,
    path: ({ owner }) => `/api/admin/user/plan/${owner.id}`,
    body: () => ({ planType: "ultimate" }),
  }),
  "PUT /api/admin/user/admin/:id": admin({
    schema: wire.adminRoleRequest,
    path: ({ owner }) => `/api/admin/user/admin/${owner.id}`,
    body: () => ({ isAdmin: true }),
  }),
  "DELETE /api/admin/users/:id": admin({ path: ({ owner }) => `/api/admin/users/${owner.id}`, own: 202 }),
  "GET /api/admin/files": admin({ query: wire.findFileQuery, search: "?q=" }),
  "GET /api/admin/files/expired": admin({ query: wire.expiredFilesQuery }),
  "POST /api/admin/files/:id/take-down": admin({
    schema: wire.takeDownRequest,
    path: ({ fileId }) => `/api/admin/files/${fileId}/take-down`,
    body: () => ({ reason: "It is harmful." }),
  }),
  "DELETE /api/admin/files/:id": admin({ path: ({ fileId }) => `/api/admin/files/${fileId}` }),
  "GET /api/admin/contact-submissions": admin({ query: wire.contactMessagesQuery }),
  "PUT /api/admin/contact-submissions/:id/mark-read": admin({
    path: ({ messageId }) => `/api/admin/contact-submissions/${messageId}/mark-read`,
  }),
  "DELETE /api/admin/contact-submissions/:id": admin({
    path: ({ messageId }) => `/api/admin/contact-submissions/${messageId}`,
  }),
  "GET /api/admin/reports": admin({ query: wire.reportsQuery }),
  "POST /api/admin/reports/:id/shared-key": admin({
    path: ({ reportId }) => `/api/admin/reports/${reportId}/shared-key`,
    // The report is about a plain link.
    own: 404,
  }),
  "PUT /api/admin/reports/:id": admin({
    schema: wire.settleReportRequest,
    path: ({ reportId }) => `/api/admin/reports/${reportId}`,
    body: () => ({ outcome: "dismissed" }),
  }),
  "GET /api/admin/overview": admin({ query: wire.overviewQuery }),
  "GET /api/admin/upload-log": admin({ query: wire.uploadLogQuery }),
  "GET /api/admin/admin-log": admin({ query: wire.adminLogQuery }),
  "GET /api/admin/sweep-runs": admin(),
  "GET /api/admin/reconciliation": admin(),
  "GET /api/admin/reconciliation/window": admin({ query: wire.reconciliationQuery }),
  "POST /api/admin/orphans/approve": admin({
    schema: wire.approveOrphansRequest,
    body: () => ({ asOf: "2026-01-31T12:00:00.000Z" }),
  }),
  "GET /api/seo": admin(),
  "POST /api/seo": admin({
    schema: wire.seoRequest,
    body: () => ({ ...SAMPLES.seo, page: `/${crypto.randomUUID()}` }),
    own: 201,
  }),
  "PUT /api/seo/:id": admin({
    schema: wire.seoRequest,
    path: ({ seoId }) => `/api/seo/${seoId}`,
    body: () => ({ ...SAMPLES.seo, page: `/${crypto.randomUUID()}` }),
  }),
  "DELETE /api/seo/:id": admin({ path: ({ seoId }) => `/api/seo/${seoId}` }),
  "GET /api/content": admin(),
  "POST /api/content": admin({
    schema: wire.pageContentRequest,
    body: () => ({ ...SAMPLES.page, slug: crypto.randomUUID() }),
    own: 201,
  }),
  "POST /api/content/preview": admin({ schema: wire.contentPreviewRequest, body: () => ({ content: "Text" }) }),
  "PUT /api/content/:id": admin({
    schema: wire.pageContentRequest,
    path: ({ pageId }) => `/api/content/${pageId}`,
    body: () => ({ ...SAMPLES.page, slug: crypto.randomUUID() }),
  }),
  "DELETE /api/content/:id": admin({ path: ({ pageId }) => `/api/content/${pageId}` }),
};
