import type { RateLimitedCall } from "#domain/rate-limits.ts";
import type { AdminViewer, CurrentUser } from "#domain/wire.ts";
import { findCurrentSession, type CurrentSession } from "./accounts/session.ts";
import { findAdminSessionOf, type AdminSession } from "./admin/sessions.ts";
import { enforceRateLimit } from "./limits/enforce-rate-limit.ts";
import { servicesFor, type Services } from "./services.ts";

/**
 * A cookie to set on the response. The cookie is HttpOnly and SameSite=Lax, so that browsers also send it when a person
 * follows a link in a mail.
 */
export interface ResponseCookie {
  name: string;
  value: string;
  path: string;
  maxAgeSeconds: number;
}

export interface RequestContext {
  services: Services;
  request: Request;
  /** The session of the request's cookie; null without a session. Repeated calls make no further query. */
  currentSession(): Promise<CurrentSession | null>;
  /** The account of the session. Null without a session. */
  currentUser(): Promise<CurrentUser | null>;
  /** The admin session of the request's cookie; null without one. Repeated calls make no further query. */
  currentAdminSession(): Promise<AdminSession | null>;
  /** The administrator of the admin session. Null without an admin session. */
  currentAdmin(): Promise<AdminViewer | null>;
  /** @param count how many calls this call counts as @throws AppError RATE_LIMITED */
  enforceRateLimit(call: RateLimitedCall, account?: string, count?: number): Promise<void>;
  /** Sets the cookie on whatever response follows, except on the response that opens a WebSocket. */
  setCookie(cookie: ResponseCookie): void;
}

/** @param setCookie receives each cookie that the response is to set @throws Error when a setting is missing */
export function createRequestContext(
  request: Request,
  env: Env,
  setCookie: RequestContext["setCookie"] = () => undefined,
): RequestContext {
  const services = servicesFor(env);
  let session: Promise<CurrentSession | null> | null = null;
  let adminSession: Promise<AdminSession | null> | null = null;
  const currentSession = () => (session ??= findCurrentSession(services, request.headers, setCookie, Date.now()));
  const currentAdminSession = () => (adminSession ??= findAdminSessionOf(services, request.headers, Date.now()));
  return {
    services,
    request,
    setCookie,
    currentSession,
    currentUser: async () => (await currentSession())?.user ?? null,
    currentAdminSession,
    currentAdmin: async () => (await currentAdminSession())?.viewer ?? null,
    enforceRateLimit: (call, account, count) =>
      enforceRateLimit(services, call, {
        ip: ipOf(request),
        ...(account === undefined ? {} : { account }),
        ...(count === undefined ? {} : { count }),
      }),
  };
}

/** Reads Cloudflare's own header, because clients can forge every other header. */
export function ipOf(request: Request): string {
  return request.headers.get("cf-connecting-ip") ?? "unknown";
}

/** Copies a program's request without its cookies and its body. The body stays with `request`. */
export function withoutCookies(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  return new Request(request.url, { method: request.method, headers });
}
