import type { PlanId } from "#domain/plans.ts";
import type {
  ChangeFileRequest,
  CheckoutAnswer,
  CompleteUploadAnswer,
  ContactRequest,
  ConvertAnswer,
  CurrentPlan,
  CurrentUser,
  DownloadInfo,
  FilesPage,
  FilesQuery,
  FinalizeChunkedAnswer,
  InitChunkedAnswer,
  ListedFile,
  ListedSession,
  ManualUpdateAnswer,
  PortalAnswer,
  Receipt,
  ReportRequest,
  ShareFileRequest,
  SignPartsAnswer,
  StartUploadAnswer,
  UnfinishedUpload,
} from "#domain/wire.ts";
import { browserTranslator } from "./i18n/messages.ts";

/** A refused or failed call, with the message that the error catalogue gives it (specification 1 section 8). */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, message: string, body: Record<string, unknown> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
  }
}

/** The call succeeded, and brought what nobody here understands. */
export class UnexpectedAnswerError extends Error {
  constructor() {
    super("Unexpected data format");
    this.name = "UnexpectedAnswerError";
  }
}

function isFilesPage(answer: unknown): answer is FilesPage {
  return typeof answer === "object" && answer !== null && "files" in answer && Array.isArray(answer.files);
}

const LOGIN_PATH = "/api/auth/login";
const CURRENT_PLAN_PATH = "/api/subscription/current-plan";

/**
 * Calls our own API with credentials.
 * @returns the parsed body; null where it is not JSON
 * @throws ApiError; TypeError when nothing answered; the signal's reason when aborted
 */
export async function call(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(path, {
    ...init,
    method,
    credentials: "include",
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await toApiError(path, response);
  return isJson(response) ? await response.json() : null;
}

async function toApiError(path: string, response: Response): Promise<ApiError> {
  const { status } = response;
  let text: string;
  try {
    text = await response.text();
  } catch {
    const t = browserTranslator("signIn");
    const message =
      status === 401 ? t("authenticationRequired") : `${status}: ${response.statusText || t("unknownError")}`;
    return new ApiError(status, message);
  }
  const body = isJson(response) ? parseObject(text) : null;
  return new ApiError(status, messageFor(path, response, text, body), body ?? {});
}

function messageFor(path: string, response: Response, text: string, body: Record<string, unknown> | null): string {
  if (response.status === 401) {
    return browserTranslator("signIn")(path === LOGIN_PATH ? "wrongPassword" : "loginNeeded");
  }
  if (!body) return text || response.statusText || browserTranslator("signIn")("unknownError");
  return messageFromBody(body) ?? `${response.status}: ${text}`;
}

/** What a refusal's body says of itself: its message, else its details, else its error. Null: nothing. */
export function messageFromBody(body: Record<string, unknown>): string | null {
  const said = [body.message, body.details, body.error].find((value) => typeof value === "string" && value !== "");
  return typeof said === "string" ? said : null;
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.includes("json") ?? false;
}

/** A JSON object; null for any other text. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

interface Credentials {
  email: string;
  password: string;
}
interface AuthAnswer {
  user: CurrentUser | null;
  message?: string;
}
interface Said {
  message: string;
}
interface StartUpload {
  filename: string;
  fileType: string;
  fileSize: number;
  expiration: string;
  expirationChosen: boolean;
  lastModified: number;
  fingerprint: string | null;
}
interface InitChunked {
  filename: string;
  fileType: string;
  totalSize: string;
  totalChunks: string;
  expiration: string;
  expirationChosen: boolean;
  lastModified: number;
  fingerprint: string | null;
  maxChunkSize?: number;
}

interface Checkout {
  planType: PlanId;
  successUrl: string;
  cancelUrl: string;
  mode: "subscription";
}
interface ManualUpdate {
  planType: PlanId;
  sessionId: string | null;
  atPeriodEnd: boolean;
  isProduction: boolean;
  redirectStatus: string | null;
  checkoutParam: string | null;
  referrer: string;
}

/** Asks who is signed in. @returns null for nobody, which a 401 says too; any other refusal is thrown */
async function findMe(): Promise<CurrentUser | null> {
  try {
    return (await call("GET", "/api/auth/me")) as CurrentUser | null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Our API, a function a call. Types are what the server answers (domain/wire.ts). */
export const api = {
  me: findMe,
  login: (body: Credentials & { rememberMe: boolean }) => call("POST", LOGIN_PATH, body) as Promise<AuthAnswer>,
  register: (body: Credentials) => call("POST", "/api/auth/register", body) as Promise<AuthAnswer>,
  requestPasswordReset: (email: string) => call("POST", "/api/auth/reset-password", { email }) as Promise<Said>,
  setNewPassword: (body: { newPassword: string; token: string }) =>
    call("POST", "/api/auth/reset-password", body) as Promise<Said>,
  resendVerification: (email: string) => call("POST", "/api/auth/resend-verification", { email }) as Promise<Said>,
  verifyEmail: (token: string) =>
    call("GET", `/api/auth/verify-email?${new URLSearchParams({ token })}`) as Promise<{ email: string }>,
  changeEmail: (request: { currentPassword: string; newEmail: string }) =>
    call("POST", "/api/auth/change-email", request) as Promise<{ pending: boolean }>,
  changePassword: (body: { currentPassword: string; newPassword: string }) =>
    call("POST", "/api/auth/change-password", body),
  sessions: () => call("GET", "/api/auth/sessions") as Promise<ListedSession[]>,
  endSession: (id: string) => call("DELETE", `/api/auth/sessions/${encodeURIComponent(id)}`),
  endOtherSessions: () => call("DELETE", "/api/auth/sessions"),
  deleteAccount: (password: string) => call("DELETE", "/api/auth/account", { password }) as Promise<Said>,
  logout: () => call("POST", "/api/auth/logout", undefined, { keepalive: true }),
  files: async (query: FilesQuery): Promise<FilesPage> => {
    const { page = 1, ...others } = query;
    const answer = await call("GET", `/api/files?${new URLSearchParams({ ...others, page: String(page) })}`);
    if (!isFilesPage(answer)) throw new UnexpectedAnswerError();
    return answer;
  },
  changeFile: (id: string, change: ChangeFileRequest) =>
    call("PATCH", `/api/files/${encodeURIComponent(id)}`, change) as Promise<ListedFile>,
  shareFile: (id: string, request: ShareFileRequest) =>
    call("POST", `/api/files/${encodeURIComponent(id)}/share`, request) as Promise<Said>,
  deleteFile: (id: string) => call("DELETE", `/api/files/${encodeURIComponent(id)}`),
  startUpload: (body: StartUpload, signal: AbortSignal) =>
    call("POST", "/api/direct-upload/presigned-url", body, { signal }) as Promise<StartUploadAnswer>,
  signParts: (body: { downloadId: string; parts: number[]; receipts: Receipt[] }, signal: AbortSignal) =>
    call("POST", "/api/direct-upload/sign-parts", body, { signal }) as Promise<SignPartsAnswer>,
  completeUpload: (body: { downloadId: string; receipts: Receipt[]; sha256?: string }, signal: AbortSignal) =>
    call("POST", "/api/direct-upload/complete", body, { signal }) as Promise<CompleteUploadAnswer>,
  unfinishedUploads: () => call("GET", "/api/direct-upload/unfinished") as Promise<UnfinishedUpload[]>,
  fixCors: (signal?: AbortSignal) =>
    call("POST", "/api/diagnostics/public-fix-cors", undefined, signal ? { signal } : {}) as Promise<{
      success: boolean;
      message: string;
    }>,
  downloadInfo: (downloadId: string) =>
    call("GET", `/api/files/download/${encodeURIComponent(downloadId)}`) as Promise<DownloadInfo>,
  reportFile: (downloadId: string, report: ReportRequest) =>
    call("POST", `/api/files/download/${encodeURIComponent(downloadId)}/report`, report) as Promise<Said>,
  sendMessage: (body: ContactRequest) => call("POST", "/api/contact", body) as Promise<Said>,
  sendTestEmail: (email: string) => call("POST", "/api/diagnostic/send-test-email", { email }) as Promise<Said>,
  initChunked: (body: InitChunked, signal: AbortSignal) =>
    call("POST", "/api/chunked-upload/init", body, { signal }) as Promise<InitChunkedAnswer>,
  finalizeChunked: (uploadId: string, signal: AbortSignal) =>
    call("POST", "/api/chunked-upload/finalize", { uploadId }, { signal }) as Promise<FinalizeChunkedAnswer>,
  currentPlan: () => call("GET", CURRENT_PLAN_PATH, undefined, { cache: "no-store" }) as Promise<CurrentPlan>,
  /** The same, after the server has asked the payment provider. */
  refreshedPlan: (signal?: AbortSignal) =>
    call("GET", `${CURRENT_PLAN_PATH}?refresh=true`, undefined, {
      cache: "no-store",
      ...(signal ? { signal } : {}),
    }) as Promise<CurrentPlan>,
  checkout: (body: Checkout) => call("POST", "/api/subscription/checkout", body) as Promise<CheckoutAnswer>,
  openPortal: (returnUrl: string) => call("POST", "/api/subscription/portal", { returnUrl }) as Promise<PortalAnswer>,
  convertToStripe: () => call("POST", "/api/subscription/convert-to-stripe") as Promise<ConvertAnswer>,
  manualUpdate: (body: ManualUpdate) =>
    call("POST", "/api/subscription/manual-update", body) as Promise<ManualUpdateAnswer>,
  /** Outlives the page, so that closing it right after a cancel still frees the quota. */
  cancelUpload: (downloadId: string) => call("POST", "/api/direct-upload/cancel", { downloadId }, { keepalive: true }),
};

/** Where the queries' answers are kept. */
export const queryKeys = {
  me: ["/api/auth/me"],
  files: ["/api/files"],
  unfinished: ["/api/direct-upload/unfinished"],
  sessions: ["/api/auth/sessions"],
  currentPlan: [CURRENT_PLAN_PATH],
} as const;
