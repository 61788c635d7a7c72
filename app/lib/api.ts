import type * as z from "zod/mini";
import type { AnswerOf, PathParams } from "#domain/calls/call.ts";
import type { CALLS } from "#domain/calls/calls.ts";
import type { UploadSummary } from "#domain/wire.ts";
import { ApiError, messageFromBody, parseObject } from "#engine/api-error.ts";
import { browserTranslator } from "./i18n/messages.ts";

export { ApiError } from "#engine/api-error.ts";

/** Reads the signed-in account. A 401 means "not signed in" and is no error. */
async function fetchCurrentUser() {
  try {
    return await call("GET /api/auth/me");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The calls that several features use. Calls of one feature stand in that feature, to keep first scripts small. */
export const api = {
  me: fetchCurrentUser,
  logout: () => call("POST /api/auth/logout", { keepalive: true }),
  downloadInfo: (downloadId: string) => call("GET /api/files/download/:downloadId", { params: { downloadId } }),
  unfinishedUploads: () => call("GET /api/direct-upload/unfinished"),
  /** `keepalive` sends the call even if the tab is closed right after cancelling, so that the quota is freed. */
  cancelUpload: (downloadId: string, summary?: UploadSummary) =>
    call("POST /api/direct-upload/cancel", { body: { downloadId, summary }, keepalive: true }),
  currentPlan: () => call("GET /api/subscription/current-plan", { cache: "no-store" }),
  /** The server first updates the plan from Stripe. */
  refreshedPlan: (signal?: AbortSignal) =>
    call("GET /api/subscription/current-plan", { query: { refresh: "true" }, cache: "no-store", signal }),
};

export const queryKeys = {
  me: ["/api/auth/me"],
  files: ["/api/files"],
  /** The prefix of the query key of a link's protection, followed by the id of a file or transfer. */
  guards: ["/api/files/guards"],
  /** The prefix of the query key of a transfer's entries, followed by the id of the transfer's link. */
  entries: ["/api/files/download/entries"],
  unfinished: ["/api/direct-upload/unfinished"],
  currentPlan: ["/api/subscription/current-plan"],
} as const;

interface RequestSettings {
  /** Sent as it is, for a call whose body is no JSON. */
  form?: FormData;
  headers?: Record<string, string>;
  /** Default: "include", so cookies are sent. */
  credentials?: RequestCredentials;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
  cache?: RequestCache;
}

type Body<Call> = Call extends { body: infer Schema extends z.ZodMiniType }
  ? { body: z.input<Schema> }
  : Call extends { bodies: readonly (infer Schema extends z.ZodMiniType)[] }
    ? { body: z.input<Schema> }
    : object;
type Query<Call> = Call extends { query: infer Schema extends z.ZodMiniType } ? QueryOf<z.input<Schema>> : object;
type QueryOf<Input> = object extends Input ? { query?: Input } : { query: Input };
type Params<Name extends string> = [Name] extends [never] ? object : { params: Record<Name, string> };

type Calls = typeof CALLS;
type Options<Name extends keyof Calls> = RequestSettings &
  Body<Calls[Name]> &
  Query<Calls[Name]> &
  Params<PathParams<Name>>;
export type BodyOf<Name extends keyof Calls> = Body<Calls[Name]> extends { body: infer Input } ? Input : never;

/** Makes a call of the API. Imports only types, because importing the table of calls would add zod to every page. */
export const call = sendRequest as <Name extends keyof Calls>(
  name: Name,
  ...options: object extends Options<Name> ? [options?: Options<Name>] : [options: Options<Name>]
) => Promise<AnswerOf<Calls[Name]>>;

interface RequestOptions extends RequestSettings {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

const LOGIN_PATH = "/api/auth/login";

/**
 * Sends a call to this site's API. Trusts the type of the answer instead of validating.
 * @param name method and path, such as `"GET /api/files/:id"` @returns the JSON body; null if the answer is not JSON
 * @throws ApiError for an error status; TypeError with a readable message when offline; the signal's reason if aborted
 */
async function sendRequest(
  name: string,
  { params = {}, query = {}, body, form, ...settings }: RequestOptions = {},
): Promise<unknown> {
  const [method = "", pattern = ""] = name.split(" ");
  const path = pattern.replace(/:(\w+)/g, (_match, param: string) => encodeURIComponent(params[param] ?? ""));
  const init: RequestInit = { credentials: "include", ...(settings as RequestInit), method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json", ...settings.headers };
    init.body = JSON.stringify(body);
  }
  if (form) init.body = form;
  const search = searchOf(query);
  const address = search ? `${path}?${search}` : path;
  let response = await send(address, init);
  if (response.status === 403) {
    const error = await toApiError(path, response);
    if (error.body.code !== "HUMAN_CHECK_NEEDED") throw error;
    const { askForHuman } = await import("./human-check.client.ts");
    const token = await askForHuman();
    if (token === null) throw error;
    response = await send(address, { ...init, headers: { ...(init.headers as object), "mayfly-human": token } });
  }
  if (!response.ok) throw await toApiError(path, response);
  return isJson(response) ? await response.json() : null;
}

/** @throws TypeError with a readable message when offline */
function send(address: string, init: RequestInit): Promise<Response> {
  return fetch(address, init).catch((error: unknown) => {
    throw error instanceof TypeError
      ? new TypeError(browserTranslator("common")("noConnection"), { cause: error })
      : error;
  });
}

function searchOf(query: Record<string, string | undefined>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries).toString();
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
  return new ApiError(status, errorMessage(path, response, text, body), body ?? {});
}

function errorMessage(path: string, response: Response, text: string, body: Record<string, unknown> | null): string {
  if (response.status === 401 && body?.code !== "LINK_LOCKED") {
    return browserTranslator("signIn")(path === LOGIN_PATH ? "wrongPassword" : "loginNeeded");
  }
  if (!body) return text || response.statusText || browserTranslator("signIn")("unknownError");
  return messageFromBody(body) ?? `${response.status}: ${text}`;
}

/** @returns the server's message of an ApiError, also for a 401, which elsewhere reads "log in"; else null */
export function serverMessage(error: unknown): string | null {
  return error instanceof ApiError ? messageFromBody(error.body) : null;
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.includes("json") ?? false;
}
