import { ApiError } from "#engine/api-error.ts";
import type { UploadSummary } from "#domain/wire.ts";
import type { ApiCalls } from "./api-calls.ts";
import { sendRequest, type ApiClient } from "./api-client.ts";

export { ApiError, messageFromBody } from "#engine/api-error.ts";

export const call = sendRequest as ApiClient<ApiCalls>;

/** Treats a 401 as "not signed in", not as an error. */
async function fetchCurrentUser() {
  try {
    return await call("GET /api/auth/me");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Calls used by several features. Each feature has its own, to keep them out of every page's first scripts. */
export const api = {
  me: fetchCurrentUser,
  logout: () => call("POST /api/auth/logout", { keepalive: true }),
  downloadInfo: (id: string) => call("GET /api/files/download/:id", { params: { id } }),
  unfinishedUploads: () => call("GET /api/direct-upload/unfinished"),
  /** Outlives the page: a tab closed right after cancelling still frees the quota. */
  cancelUpload: (downloadId: string, summary?: UploadSummary) =>
    call("POST /api/direct-upload/cancel", { body: { downloadId, summary }, keepalive: true }),
  currentPlan: () => call("GET /api/subscription/current-plan", { cache: "no-store" }),
  /** The server updates the plan from Stripe first. */
  refreshedPlan: (signal?: AbortSignal) =>
    call("GET /api/subscription/current-plan", { query: { refresh: "true" }, cache: "no-store", signal }),
};

export const queryKeys = {
  me: ["/api/auth/me"],
  files: ["/api/files"],
  /** Followed by the id of a file or transfer. */
  guards: ["/api/files/guards"],
  /** Followed by the id of a transfer's link. */
  entries: ["/api/files/download/entries"],
  unfinished: ["/api/direct-upload/unfinished"],
  currentPlan: ["/api/subscription/current-plan"],
} as const;
