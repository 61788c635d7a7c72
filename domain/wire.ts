/** Requests and responses of the API. Requests are parsed once, in `worker/api/`. */
export * from "./wire/accounts.ts";
export * from "./wire/admin.ts";
export * from "./wire/admin-answers.ts";
export * from "./wire/billing.ts";
export * from "./wire/contact.ts";
export * from "./wire/content.ts";
export * from "./wire/diagnostics.ts";
export * from "./wire/files.ts";
export * from "./wire/guards.ts";
export * from "./wire/health.ts";
export * from "./wire/keys.ts";
export * from "./wire/seal.ts";
export * from "./wire/socket.ts";
export * from "./wire/transfer-answers.ts";
export * from "./wire/transfer-socket.ts";
export * from "./wire/transfers.ts";
export * from "./wire/uploads.ts";
