import type { CALLS } from "#domain/calls/calls.ts";
import type { PROVEN_CALLS } from "#domain/calls/proven.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { SAMPLES, UNKNOWN_ASSERTION } from "./samples.ts";

export interface CallSample {
  /** For the parameters of the path, in their order. */
  ids?: (fixture: AccountFixture) => string[];
  /** A valid query string. */
  search?: string;
  /** A valid body of the owner. */
  body?: (fixture: AccountFixture) => unknown;
  /** For a call that reads through a link: what it answers a stranger while the link is locked. */
  guard?: "locked" | "asks for the password";
}

const UNKNOWN_ATTESTATION = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "e30", attestationObject: "AAAA", transports: [] },
};

/** Of another file, or of none: 43 characters. */
const WRONG_TOKEN = "A".repeat(43);
/** Of a mail that nobody got. */
const WRONG_MAIL_TOKEN = `files.${"0".repeat(36)}.${WRONG_TOKEN}`;

/** What is sent to calls that need something, with the fixture's ids. */
export const CALL_SAMPLES: Partial<Record<keyof typeof CALLS | keyof typeof PROVEN_CALLS, CallSample>> = {
  "POST /api/auth/login": { body: ({ owner }) => ({ email: owner.email, password: "a wrong password" }) },
  "POST /api/auth/register": { body: ({ owner }) => ({ email: owner.email, password: "a good password" }) },
  "POST /api/auth/reset-password": { body: () => ({ email: "nobody@example.com" }) },
  "POST /api/auth/resend-verification": { body: () => ({ email: "somebody@example.com" }) },
  "GET /api/auth/verify-email": { search: "?token=x" },
  "POST /api/auth/change-email": { body: () => ({ newEmail: `new-${crypto.randomUUID()}@example.com` }) },
  "POST /api/auth/change-password": {
    body: () => ({ currentPassword: "a wrong password", newPassword: "another one" }),
  },
  "DELETE /api/auth/sessions/:id": { ids: ({ sessionId }) => [sessionId] },
  "DELETE /api/auth/account": { body: () => ({ password: "a wrong password" }) },
  "POST /api/auth/mail-link": { body: () => ({ email: `link-${crypto.randomUUID()}@example.com` }) },
  "POST /api/auth/mail-link/use": { body: () => ({ token: "x" }) },
  "GET /api/auth/provider/:name": { ids: () => ["club"] },
  "GET /api/auth/provider/:name/callback": { ids: () => ["club"] },
  "POST /api/auth/providers/:name/link": { ids: () => ["club"] },
  "DELETE /api/auth/providers/:name": { ids: () => ["club"] },
  "POST /api/auth/passkey/options": { body: () => ({ purpose: "login" }) },
  "POST /api/auth/passkey/login": { body: () => ({ credential: UNKNOWN_ASSERTION }) },
  "POST /api/auth/passkeys": { body: () => ({ name: "A passkey", credential: UNKNOWN_ATTESTATION }) },
  "PATCH /api/auth/passkeys/:id": { ids: ({ passkeyId }) => [passkeyId], body: () => ({ name: "Another name" }) },
  "DELETE /api/auth/passkeys/:id": { ids: ({ passkeyId }) => [passkeyId] },
  "POST /api/auth/second-factor": { body: () => ({ code: "123456" }) },
  "POST /api/auth/totp/enable": { body: () => ({ code: "123456" }) },
  "POST /api/auth/keep-factor": { body: () => ({ token: "x" }) },
  "POST /api/auth/confirm": { body: () => ({ password: "a wrong password" }) },
  "DELETE /api/auth/devices/:id": { ids: ({ deviceId }) => [deviceId] },
  "POST /api/auth/sign-out-everywhere": { body: () => ({}) },
  "POST /api/auth/not-me": { body: () => ({ token: "x" }) },
  "POST /api/auth/change-email/undo": { body: () => ({ token: "x" }) },

  "POST /api/admin/login": { body: ({ owner }) => ({ username: owner.email, password: "a good password" }) },
  "POST /api/admin/second-factor": { body: () => ({ code: "123456" }) },
  "POST /api/admin/passkey/options": { body: () => ({ purpose: "login" }) },
  "POST /api/admin/passkey/login": { body: () => ({ credential: UNKNOWN_ASSERTION }) },
  "POST /api/admin/confirm": { body: () => ({ password: "a wrong password" }) },
  "GET /api/admin/users/:id": { ids: ({ owner }) => [owner.id] },
  "GET /api/admin/users/:id/files": { ids: ({ owner }) => [owner.id] },
  "DELETE /api/admin/users/:id": { ids: ({ owner }) => [owner.id] },
  "GET /api/admin/users/:id/second-factor": { ids: ({ owner }) => [owner.id] },
  "POST /api/admin/users/:id/second-factor/removal": { ids: ({ owner }) => [owner.id] },
  "DELETE /api/admin/users/:id/second-factor": { ids: ({ owner }) => [owner.id] },
  "PUT /api/admin/user/email/:id": {
    ids: ({ owner }) => [owner.id],
    body: () => ({ email: `new-${crypto.randomUUID()}@example.com` }),
  },
  "PUT /api/admin/user/plan/:id": { ids: ({ owner }) => [owner.id], body: () => ({ planType: "ultimate" }) },
  "PUT /api/admin/user/admin/:id": { ids: ({ owner }) => [owner.id], body: () => ({ isAdmin: true }) },
  "GET /api/admin/files": { search: "?q=" },
  "GET /api/admin/files/:id/entries": { ids: ({ transfer }) => [transfer.fileId] },
  "POST /api/admin/files/:id/take-down": { ids: ({ fileId }) => [fileId], body: () => ({ reason: "It is harmful." }) },
  "POST /api/admin/files/:id/entries/:n/take-down": {
    ids: ({ transfer }) => [transfer.fileId, "1"],
    body: () => ({ reason: "It is harmful." }),
  },
  "DELETE /api/admin/files/:id": { ids: ({ fileId }) => [fileId] },
  "PUT /api/admin/contact-submissions/:id/mark-read": { ids: ({ messageId }) => [messageId] },
  "DELETE /api/admin/contact-submissions/:id": { ids: ({ messageId }) => [messageId] },
  "POST /api/admin/reports/:id/shared-key": { ids: ({ reportId }) => [reportId] },
  "PUT /api/admin/reports/:id": { ids: ({ reportId }) => [reportId], body: () => ({ outcome: "dismissed" }) },
  "POST /api/admin/users/:id/suspension": {
    ids: ({ owner }) => [owner.id],
    body: () => ({ reason: "Malware", ground: "terms" }),
  },
  "DELETE /api/admin/users/:id/suspension": { ids: ({ owner }) => [owner.id] },
  "GET /api/admin/cases/:id": { ids: ({ caseId }) => [caseId] },
  "POST /api/admin/cases/:id/close": { ids: ({ caseId }) => [caseId], body: () => ({ action: "dismiss" }) },
  "GET /api/admin/moderation-numbers": { search: "?year=2026" },
  "POST /api/admin/block-list": { body: () => ({ label: "a list", list: "c".repeat(64) }) },
  "POST /api/admin/block-list/removal": { body: () => ({ label: "a list" }) },
  "POST /api/admin/orphans/approve": { body: () => ({ asOf: "2026-01-31T12:00:00.000Z" }) },

  "GET /api/public-content/:slug": { ids: () => ["about"] },
  "GET /api/public-seo/:page": { ids: () => ["home"] },
  "POST /api/content": { body: () => ({ ...SAMPLES.page, slug: crypto.randomUUID() }) },
  "POST /api/content/preview": { body: () => ({ content: "Text" }) },
  "PUT /api/content/:id": {
    ids: ({ pageId }) => [pageId],
    body: () => ({ ...SAMPLES.page, slug: crypto.randomUUID() }),
  },
  "DELETE /api/content/:id": { ids: ({ pageId }) => [pageId] },
  "POST /api/seo": { body: () => ({ ...SAMPLES.seo, page: `/${crypto.randomUUID()}` }) },
  "PUT /api/seo/:id": {
    ids: ({ seoId }) => [seoId],
    body: () => ({ ...SAMPLES.seo, page: `/${crypto.randomUUID()}` }),
  },
  "DELETE /api/seo/:id": { ids: ({ seoId }) => [seoId] },
  "POST /api/contact": { body: () => SAMPLES.message },
  "POST /api/diagnostic/send-test-email": { body: () => ({ email: "a@b.example" }) },
  "POST /api/diagnostics/send-test-email": { body: () => ({ email: "a@b.example" }) },

  "GET /api/subscription/current-plan": { search: "?refresh=true" },
  "POST /api/subscription/checkout": { body: () => ({ planType: "professional" }) },
  "POST /api/subscription/portal": { body: () => ({}) },
  "POST /api/subscription/manual-update": { body: () => ({ planType: "professional" }) },

  "POST /api/direct-upload/presigned-url": { body: () => ({ ...SAMPLES.file, fileSize: 5 }) },
  "POST /api/direct-upload/sign-parts": { body: ({ upload }) => ({ downloadId: upload.downloadId, parts: [1] }) },
  "PUT /api/direct-upload/parts/:downloadId/:part": { ids: ({ upload }) => [upload.downloadId, "1"] },
  "POST /api/direct-upload/complete": { body: ({ upload }) => ({ downloadId: upload.downloadId }) },
  "POST /api/direct-upload/cancel": { body: ({ upload }) => ({ downloadId: upload.downloadId }) },
  "POST /api/direct-upload/failed": {
    body: ({ upload }) => ({ downloadId: upload.downloadId, summary: SAMPLES.summary }),
  },
  "POST /api/chunked-upload/init": { body: () => ({ ...SAMPLES.file, totalSize: "5", totalChunks: "1" }) },
  "POST /api/chunked-upload/finalize": { body: ({ chunkedId }) => ({ uploadId: chunkedId }) },
  "POST /api/transfers": { body: () => SAMPLES.transfer },
  "POST /api/transfers/:downloadId/batch": {
    ids: ({ startedTransfer }) => [startedTransfer.downloadId],
    body: () => ({}),
  },
  "PUT /api/transfers/:downloadId/objects/:object/:part": {
    ids: ({ startedTransfer }) => [startedTransfer.downloadId, "0", "1"],
  },
  "POST /api/pictures/:downloadId": { ids: ({ startedTransfer }) => [startedTransfer.downloadId] },
  "POST /api/transfers/:downloadId/finish": {
    ids: ({ startedTransfer }) => [startedTransfer.downloadId],
    body: () => ({}),
  },

  "GET /api/requests/by-link/:token": { ids: ({ requestToken }) => [requestToken] },
  "POST /api/requests/by-link/:token/unlock": {
    ids: ({ requestToken }) => [requestToken],
    body: () => ({ password: "not the one" }),
  },
  "POST /api/requests/by-link/:token/transfers": {
    ids: ({ requestToken }) => [requestToken],
    // Of a kind that the request does not take, so that nothing begins.
    body: () => ({ totals: { entries: 1, bytes: 1 }, entries: { from: 0, list: [["a.exe", 1, 0]] } }),
  },
  "POST /api/requests": { body: () => ({ title: "Photos" }) },
  "PATCH /api/requests/:id": { ids: ({ requestId }) => [requestId], body: () => ({ note: "Another one" }) },
  "DELETE /api/requests/:id": { ids: ({ requestId }) => [requestId] },
  "POST /api/received/:id/link": { ids: ({ receivedId }) => [receivedId] },
  "POST /api/received/:id/refuse": { ids: ({ receivedId }) => [receivedId], body: () => ({ what: "transfer" }) },

  "GET /api/files/download/:downloadId": { ids: ({ downloadId }) => [downloadId], guard: "locked" },
  "GET /api/files/download/:downloadId/live": { ids: ({ downloadId }) => [downloadId], guard: "locked" },
  "POST /api/files/download/:downloadId/unlock": {
    ids: ({ downloadId }) => [downloadId],
    guard: "asks for the password",
    body: () => ({ password: "any password" }),
  },
  "POST /api/files/download/:downloadId/take": {
    ids: ({ downloadId }) => [downloadId],
    guard: "locked",
    body: () => ({}),
  },
  "POST /api/files/download/:downloadId/opened": {
    ids: ({ downloadId }) => [downloadId],
    guard: "locked",
    body: () => ({}),
  },
  "POST /api/files/download/:downloadId/report": {
    ids: ({ downloadId }) => [downloadId],
    guard: "locked",
    body: () => ({ reason: "other" }),
  },
  "GET /api/files/download/:downloadId/content": { ids: ({ downloadId }) => [downloadId], guard: "locked" },
  "GET /api/files/download/:downloadId/preview": { ids: ({ downloadId }) => [downloadId], guard: "locked" },
  "GET /api/files/download/:downloadId/tile": { ids: ({ downloadId }) => [downloadId], guard: "locked" },
  "GET /api/files/download/:downloadId/view": { ids: ({ downloadId }) => [downloadId], guard: "locked" },
  "GET /api/files/download/:downloadId/entries": { ids: ({ transfer }) => [transfer.downloadId], guard: "locked" },
  "GET /api/files/download/:downloadId/entries/:n/content": {
    ids: ({ transfer }) => [transfer.downloadId, "0"],
    guard: "locked",
  },
  "GET /api/files/download/:downloadId/entries/:n/preview": {
    ids: ({ transfer }) => [transfer.downloadId, "0"],
    guard: "locked",
  },
  "GET /api/files/download/:downloadId/entries/:n/tile": {
    ids: ({ transfer }) => [transfer.downloadId, "0"],
    guard: "locked",
  },
  "GET /api/files/download/:downloadId/entries/:n/view": {
    ids: ({ transfer }) => [transfer.downloadId, "0"],
    guard: "locked",
  },
  "GET /ws": { search: "?id=x" },

  "GET /api/files/:id": { ids: ({ fileId }) => [fileId] },
  "PATCH /api/files/:id": { ids: ({ fileId }) => [fileId], body: () => ({ filename: "renamed.txt" }) },
  "PUT /api/files/:id/manifest": {
    ids: ({ fileId }) => [fileId],
    body: () => ({ revision: 1, final: true, body: "AAAA" }),
  },
  "GET /api/files/:id/guards": { ids: ({ fileId }) => [fileId] },
  "POST /api/files/:id/share": { ids: ({ fileId }) => [fileId], body: () => ({ email: "friend@example.com" }) },
  "GET /api/files/:id/recipients": { ids: ({ fileId }) => [fileId] },
  "POST /api/files/:id/recipients/:recipientId/again": { ids: ({ fileId, recipientId }) => [fileId, recipientId] },
  "DELETE /api/files/:id/recipients/:recipientId": { ids: ({ fileId, recipientId }) => [fileId, recipientId] },
  "PATCH /api/files/:id/notify": { ids: ({ fileId }) => [fileId], body: () => ({ notify: "each" }) },
  "DELETE /api/files/:id/entries/:n": { ids: ({ transfer }) => [transfer.fileId, "0"] },
  "DELETE /api/files/:id": { ids: ({ fileId }) => [fileId] },
  "PATCH /api/previews": { body: () => ({ showsPicture: false }) },
  "DELETE /delete/:id/:token": { ids: ({ fileId }) => [fileId, WRONG_TOKEN] },
  "POST /delete/:id/:token": { ids: ({ fileId }) => [fileId, WRONG_TOKEN] },

  "POST /api/keys": { body: () => ({ name: "A program", scopes: ["upload"] }) },
  "PATCH /api/keys/:id": { ids: ({ keyId }) => [keyId], body: () => ({ name: "Another name" }) },
  "DELETE /api/keys/:id": { ids: ({ keyId }) => [keyId] },
  "POST /api/auth/device": { body: () => ({ userCode: "BCDF-GHJK" }) },
  "POST /api/auth/device/approve": { body: () => ({ userCode: "BCDF-GHJK" }) },
  "POST /api/auth/device/refuse": { body: () => ({ userCode: "BCDF-GHJK" }) },

  "POST /api/webhooks": { body: () => ({ url: "https://hooks.example.org/mayfly", events: ["transfer.uploaded"] }) },
  "PATCH /api/webhooks/:id": { ids: ({ webhookId }) => [webhookId], body: () => ({ events: ["transfer.expired"] }) },
  "DELETE /api/webhooks/:id": { ids: ({ webhookId }) => [webhookId] },
  "POST /api/webhooks/:id/rotate": { ids: ({ webhookId }) => [webhookId] },
  "POST /api/webhooks/:id/ping": { ids: ({ webhookId }) => [webhookId] },
  "GET /api/webhooks/:id/deliveries": { ids: ({ webhookId }) => [webhookId] },
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": {
    ids: ({ webhookId, deliveryId }) => [webhookId, deliveryId],
  },

  "PATCH /api/notices": { body: () => ({ downloaded: "daily" }) },
  "GET /api/objections/:token": { ids: () => [WRONG_TOKEN] },
  "POST /api/objections/:token": { ids: () => [WRONG_TOKEN], body: () => ({ text: "This is wrong." }) },
  "GET /api/unsubscribe/:token": { ids: () => [WRONG_MAIL_TOKEN] },
  "POST /api/unsubscribe/:token": { ids: () => [WRONG_MAIL_TOKEN], body: () => ({ what: "sender" }) },

  "PUT /:name": { ids: () => ["a-file.txt"] },
  "POST /unsubscribe/:token": { ids: () => [WRONG_MAIL_TOKEN] },
};
