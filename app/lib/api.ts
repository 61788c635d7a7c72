import type { FilesPage, FilesQuery } from "#domain/wire.ts";
import type { ApiCalls, BodyOf } from "./api-calls.ts";
import { ApiError, sendRequest, type ApiClient } from "./api-client.ts";

export { ApiError, messageFromBody, parseObject } from "./api-client.ts";

export const call = sendRequest as ApiClient<ApiCalls>;

/** The call succeeded with a body of another shape than expected. */
export class UnexpectedAnswerError extends Error {
  constructor() {
    super("Unexpected data format");
    this.name = "UnexpectedAnswerError";
  }
}

function isFilesPage(answer: unknown): answer is FilesPage {
  return typeof answer === "object" && answer !== null && "files" in answer && Array.isArray(answer.files);
}

/** Treats a 401 as "not signed in", not as an error. */
async function fetchCurrentUser() {
  try {
    return await call("GET /api/auth/me");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

async function fetchFiles({ page = 1, ...others }: FilesQuery): Promise<FilesPage> {
  const answer = await call("GET /api/files", { query: { ...others, page: String(page) } });
  if (!isFilesPage(answer)) throw new UnexpectedAnswerError();
  return answer;
}

/** Calls used by several features. The others are in the feature, out of the first scripts of every page. */
export const api = {
  me: fetchCurrentUser,
  logout: () => call("POST /api/auth/logout", { keepalive: true }),

  files: fetchFiles,
  changeFile: (id: string, body: BodyOf<"PATCH /api/files/:id">) =>
    call("PATCH /api/files/:id", { params: { id }, body }),
  shareFile: (id: string, body: BodyOf<"POST /api/files/:id/share">) =>
    call("POST /api/files/:id/share", { params: { id }, body }),
  deleteFile: (id: string) => call("DELETE /api/files/:id", { params: { id } }),
  downloadInfo: (id: string) => call("GET /api/files/download/:id", { params: { id } }),
  reportFile: (id: string, body: BodyOf<"POST /api/files/download/:id/report">) =>
    call("POST /api/files/download/:id/report", { params: { id }, body }),

  /** Outlives the page: a tab closed right after cancelling still frees the quota. */
  cancelUpload: (downloadId: string) =>
    call("POST /api/direct-upload/cancel", { body: { downloadId }, keepalive: true }),
  unfinishedUploads: () => call("GET /api/direct-upload/unfinished"),

  currentPlan: () => call("GET /api/subscription/current-plan", { cache: "no-store" }),
  /** Has the server update the plan from Stripe first. */
  refreshedPlan: (signal?: AbortSignal) =>
    call("GET /api/subscription/current-plan", { query: { refresh: "true" }, cache: "no-store", signal }),
  checkout: (body: BodyOf<"POST /api/subscription/checkout">) => call("POST /api/subscription/checkout", { body }),
  openPortal: (returnUrl: string) => call("POST /api/subscription/portal", { body: { returnUrl } }),
  convertToStripe: () => call("POST /api/subscription/convert-to-stripe"),
  manualUpdate: (body: BodyOf<"POST /api/subscription/manual-update">) =>
    call("POST /api/subscription/manual-update", { body }),

  sendMessage: (body: BodyOf<"POST /api/contact">) => call("POST /api/contact", { body }),
  sendTestEmail: (email: string) => call("POST /api/diagnostic/send-test-email", { body: { email } }),
};

/** Cache keys of TanStack Query. */
export const queryKeys = {
  me: ["/api/auth/me"],
  files: ["/api/files"],
  unfinished: ["/api/direct-upload/unfinished"],
  sessions: ["/api/auth/sessions"],
  currentPlan: ["/api/subscription/current-plan"],
} as const;
