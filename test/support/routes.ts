import * as wire from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { ADMIN_ROUTES } from "./admin-routes.ts";
import { DOWNLOAD_ROUTES } from "./download-routes.ts";
import { member, type Route, type Who } from "./route.ts";
import { REQUEST_ROUTES } from "./request-routes.ts";
import { NOTICE_ROUTES } from "./notice-routes.ts";
import { SAMPLES } from "./samples.ts";
import { SECURITY_ROUTES } from "./security-routes.ts";
import { SENDING_ROUTES } from "./sending-routes.ts";
import { TRANSFER_ROUTES } from "./transfer-routes.ts";
import { V1_ROUTES } from "./v1-routes.ts";
import { WAY_IN_ROUTES } from "./way-in-routes.ts";
import { WEBHOOK_ROUTES } from "./webhook-routes.ts";

/** A code that no program shows. */
const DEVICE = {
  schema: wire.userCodeRequest,
  limit: "enterDeviceCode",
  body: () => ({ userCode: "BCDF-GHJK" }),
  others: 404,
  own: 404,
} as const;

/** Every API route; `test/worker/isolation.test.ts` fails if one is missing. */
export const ROUTES: Record<string, Route> = {
  "GET /api/auth/me": { who: "anybody", limit: "reads what is public" },
  "POST /api/auth/login": {
    who: "anybody",
    limit: "login",
    schema: wire.loginRequest,
    others: 401,
    body: ({ owner }) => ({ email: owner.email, password: "a wrong password" }),
    own: 401,
  },
  "POST /api/auth/register": {
    who: "anybody",
    limit: "register",
    schema: wire.registerRequest,
    others: 409,
    own: 409,
    body: ({ owner }) => ({ email: owner.email, password: "a good password" }),
  },
  "POST /api/auth/logout": { who: "anybody", limit: "ends its own session" },
  "POST /api/auth/reset-password": {
    who: "anybody",
    limit: "accountMail",
    schema: wire.setPasswordRequest,
    body: () => ({ email: "nobody@example.com" }),
  },
  "POST /api/auth/resend-verification": {
    who: "anybody",
    limit: "accountMail",
    schema: wire.emailRequest,
    body: () => ({ email: "somebody@example.com" }),
  },
  "GET /api/auth/verify-email": {
    who: "anybody",
    limit: "redeemToken",
    query: wire.verifyEmailQuery,
    search: "?token=x",
    others: 400,
    own: 400,
  },
  "POST /api/auth/change-email": member({
    schema: wire.changeEmailRequest,
    limit: "accountMail",
    body: () => ({ newEmail: `new-${crypto.randomUUID()}@example.com` }),
    others: 200,
  }),
  "POST /api/auth/change-password": member({
    schema: wire.changePasswordRequest,
    limit: "login",
    others: 403,
    own: 403,
    body: () => ({ currentPassword: "a wrong password", newPassword: "another one" }),
  }),
  "GET /api/auth/sessions": member(),
  "DELETE /api/auth/sessions": member(),
  "DELETE /api/auth/sessions/:id": member({ path: ({ sessionId }) => `/api/auth/sessions/${sessionId}`, others: 404 }),
  "DELETE /api/auth/account": member({
    schema: wire.deleteAccountRequest,
    limit: "login",
    others: 403,
    own: 403,
    body: () => ({ password: "a wrong password" }),
  }),
  "POST /api/auth/device": member(DEVICE),
  "POST /api/auth/device/approve": member(DEVICE),
  "POST /api/auth/device/refuse": member(DEVICE),
  ...SECURITY_ROUTES,
  ...WAY_IN_ROUTES,
  "POST /api/chunked-upload/init": {
    who: "sender",
    limit: "startUpload",
    schema: wire.initChunkedRequest,
    body: () => ({ ...SAMPLES.file, totalSize: "5", totalChunks: "1" }),
  },
  "POST /api/chunked-upload/chunk": { who: "sender", limit: "needs a session", others: 411, own: 411 },
  "POST /api/chunked-upload/finalize": {
    who: "sender",
    limit: "needs a session",
    schema: wire.finalizeChunkedRequest,
    others: 404,
    own: 422,
    body: ({ chunkedId }) => ({ uploadId: chunkedId }),
  },
  "POST /api/direct-upload/presigned-url": {
    who: "sender",
    limit: "startUpload",
    schema: wire.startUploadRequest,
    body: () => ({ ...SAMPLES.file, fileSize: 5 }),
  },
  "POST /api/direct-upload/sign-parts": {
    who: "sender",
    limit: "needs a session",
    schema: wire.signPartsRequest,
    others: 404,
    body: ({ upload }) => ({ downloadId: upload.downloadId, parts: [1] }),
  },
  "PUT /api/direct-upload/parts/:downloadId/:part": {
    who: "sender",
    limit: "needs a session",
    others: 404,
    own: 411,
    path: ({ upload }) => `/api/direct-upload/parts/${upload.downloadId}/1`,
  },
  "POST /api/direct-upload/complete": {
    who: "sender",
    limit: "needs a session",
    schema: wire.completeUploadRequest,
    others: 404,
    own: 422,
    body: ({ upload }) => ({ downloadId: upload.downloadId }),
  },
  "POST /api/direct-upload/cancel": {
    who: "sender",
    limit: "needs a session",
    schema: wire.cancelUploadRequest,
    others: 404,
    body: ({ upload }) => ({ downloadId: upload.downloadId }),
  },
  "POST /api/direct-upload/failed": {
    who: "sender",
    limit: "needs a session",
    schema: wire.failedUploadRequest,
    others: 404,
    body: ({ upload }) => ({ downloadId: upload.downloadId, summary: SAMPLES.summary }),
  },
  "GET /api/direct-upload/unfinished": member(),
  "POST /api/direct-upload/proxy-upload": { who: "sender", limit: "startUpload", others: 415, own: 415 },
  ...TRANSFER_ROUTES,
  ...REQUEST_ROUTES,
  ...WEBHOOK_ROUTES,
  "GET /api/files": member({ query: wire.filesQuery }),
  ...DOWNLOAD_ROUTES,
  "GET /api/files/:id/guards": member({ path: ({ fileId }) => `/api/files/${fileId}/guards`, others: 404 }),
  "PUT /api/files/:id/manifest": member({
    schema: wire.putManifestRequest,
    limit: "putManifest",
    others: 404,
    // The file is a plain one.
    own: 409,
    path: ({ fileId }) => `/api/files/${fileId}/manifest`,
    body: () => ({ revision: 1, final: true, body: "AAAA" }),
  }),
  "PATCH /api/files/:id": member({
    schema: wire.changeFileRequest,
    others: 404,
    path: ({ fileId }) => `/api/files/${fileId}`,
    body: () => ({ filename: "renamed.txt" }),
  }),
  "POST /api/files/:id/share": member({
    schema: wire.shareFileRequest,
    others: 404,
    limit: "shareByMail",
    path: ({ fileId }) => `/api/files/${fileId}/share`,
    body: () => ({ email: "friend@example.com" }),
  }),
  "GET /api/files/:id": member({ others: 404, path: ({ fileId }) => `/api/files/${fileId}` }),
  "DELETE /api/files/:id": member({ others: 404, path: ({ fileId }) => `/api/files/${fileId}` }),
  "GET /api/keys": member(),
  "POST /api/keys": member({
    schema: wire.makeKeyRequest,
    limit: "makeKey",
    body: () => ({ name: "A program", scopes: ["upload"] }),
    others: 201,
    own: 201,
  }),
  "PATCH /api/keys/:id": member({
    schema: wire.changeKeyRequest,
    others: 404,
    path: ({ keyId }) => `/api/keys/${keyId}`,
    body: () => ({ name: "Another name" }),
  }),
  "DELETE /api/keys/:id": member({ others: 404, path: ({ keyId }) => `/api/keys/${keyId}` }),
  ...V1_ROUTES,
  ...SENDING_ROUTES,
  "GET /cli": { who: "anybody", limit: "reads what is public", own: 302, others: 302 },
  "GET /api/subscription/plans": { who: "anybody", limit: "reads what is public" },
  "GET /api/subscription/current-plan": member({
    query: wire.currentPlanQuery,
    search: "?refresh=true",
    limit: "fetchFromStripe",
  }),
  "GET /api/subscription/invoices": member({ query: wire.invoicesQuery, limit: "fetchFromStripe" }),
  "POST /api/subscription/checkout": member({
    schema: wire.checkoutRequest,
    limit: "checkout",
    body: () => ({ planType: "professional" }),
  }),
  "POST /api/subscription/portal": member({ schema: wire.portalRequest, limit: "portal", body: () => ({}) }),
  "POST /api/subscription/convert-to-stripe": member({ limit: "checkout", others: 503, own: 503 }),
  "POST /api/subscription/manual-update": member({
    schema: wire.manualUpdateRequest,
    limit: "manualUpdate",
    body: () => ({ planType: "professional" }),
  }),
  "POST /api/stripe/webhook": { who: "anybody", limit: "needs a signature", others: 503, own: 503 },
  "GET /api/health": { who: "anybody", limit: "health" },
  "GET /api/public-content/:slug": {
    who: "anybody",
    limit: "reads what is public",
    path: () => "/api/public-content/about",
  },
  "GET /api/public-seo/:page": {
    who: "anybody",
    limit: "reads what is public",
    path: () => "/api/public-seo/home",
  },
  "POST /api/contact": {
    who: "anybody",
    limit: "contact",
    schema: wire.contactRequest,
    body: () => SAMPLES.message,
    others: 201,
    own: 201,
  },
  "POST /api/diagnostic/public-fix-cors": { who: "anybody", limit: "fixCors" },
  "POST /api/diagnostics/public-fix-cors": { who: "anybody", limit: "fixCors" },
  "POST /api/diagnostic/send-test-email": {
    who: "administrator",
    limit: "testMail",
    schema: wire.testEmailRequest,
    body: () => ({ email: "a@b.example" }),
  },
  "POST /api/diagnostics/send-test-email": {
    who: "administrator",
    limit: "testMail",
    schema: wire.testEmailRequest,
    body: () => ({ email: "a@b.example" }),
  },
  "GET /ws/account": member({ others: 426, own: 426 }),
  "GET /ws": { who: "anybody", limit: "unknownDownload", search: "?id=x", others: 426, own: 426 },
  ...NOTICE_ROUTES,
  ...ADMIN_ROUTES,
};

const OPEN_PAGES = [
  "/",
  "/about",
  "/admin",
  "/chunked-upload",
  "/contact",
  "/delete/:id/:token",
  "/dev/mailbox",
  "/dev/sinks",
  "/developers",
  "/developers/reference",
  "/direct-upload",
  "/download",
  "/download/:downloadId",
  "/email-diagnostic",
  "/features",
  "/llms.txt",
  "/login",
  "/manifest.webmanifest",
  "/plans",
  "/pricing",
  "/privacy",
  "/register",
  "/reset-password",
  "/robots.txt",
  "/share",
  "/sitemap.xml",
  "/terms",
  "/verify-email",
];

export const PAGES: Record<string, Exclude<Who, "sender">> = {
  ...Object.fromEntries(OPEN_PAGES.map((page) => [page, "anybody"] as const)),
  "/account": "member",
  "/account/billing-history": "member",
  "/account/security": "member",
  "/not-me": "anybody",
  "/keep-factor": "anybody",
  "/sign-in-link": "anybody",
  "/undo-email": "anybody",
  "/admin/dashboard": "administrator",
  "/account/notices": "member",
  "/dashboard": "member",
  "/dashboard/:id": "member",
  "/dashboard/received": "member",
  "/dashboard/requests": "member",
  "/r/:token": "anybody",
  "/unsubscribe/:token": "anybody",
  "/device": "member",
};

/** The routes registered in Hono, such as `POST /api/contact`. */
export function listRoutes(): string[] {
  // A path with a slash at its end is the same call.
  const routes = createApp().routes.filter(({ method, path }) => method !== "ALL" && !/.\/$/.test(path));
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

export function requestFor(key: string, fixture: AccountFixture): { path: string; init: RequestInit } {
  const [method = "", pattern = ""] = key.split(" ");
  const { path, search = "", headers, body } = ROUTES[key] ?? {};
  const json = body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body(fixture)) } : {};
  return {
    path: `${path ? path(fixture) : pattern}${search}`,
    init: { method, redirect: "manual", ...(headers && { headers }), ...json },
  };
}

/** Calls that only answer a WebSocket's handshake. */
export function isSocket(key: string): boolean {
  return key.startsWith("GET /ws") || key.endsWith("/live") || key.endsWith("/socket");
}

/** The URL of a page's loader data. */
export function dataPath(path: string): string {
  return path === "/" ? "/_root.data" : `${path}.data`;
}
