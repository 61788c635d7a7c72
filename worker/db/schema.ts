/** Timestamps are epoch milliseconds, sizes are bytes. */
export * from "./schema/accounts.ts";
export * from "./schema/admin.ts";
export * from "./schema/keys.ts";
export * from "./schema/reconciliation.ts";
export * from "./schema/content.ts";
export * from "./schema/files.ts";
export * from "./schema/mail.ts";
export * from "./schema/moderation.ts";
export * from "./schema/notices.ts";
export * from "./schema/requests.ts";
export * from "./schema/safety.ts";
export * from "./schema/sign-in.ts";
export * from "./schema/transfers.ts";
export * from "./schema/webhooks.ts";
