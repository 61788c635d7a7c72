import type { RateLimitedCall } from "#domain/rate-limits.ts";
import type { AdminViewer, CurrentUser } from "#domain/wire.ts";
import { findCurrentSession, type CurrentSession } from "./accounts/session.ts";
import { findAdminSessionOf, type AdminSession } from "./admin/sessions.ts";
import { enforceRateLimit } from "./limits/enforce-rate-limit.ts";
import { servicesFor, type Services } from "./services.ts";

/** HttpOnly, and sent with navigations from other sites: people come from their mail. */
export interface ResponseCookie {
  name: string;
  value: string;
  path: string;
  maxAgeSeconds: number;
}

export interface RequestContext {
  services: Services;
  request: Request;
  /** Null without a session. Looked up at most once. */
  currentSession(): Promise<CurrentSession | null>;
  /** Whose session it is. Null without one. */
  currentUser(): Promise<CurrentUser | null>;
  /** Null without an admin session. Looked up at most once. */
  currentAdminSession(): Promise<AdminSession | null>;
  /** Whose admin session it is. Null without one. */
  currentAdmin(): Promise<AdminViewer | null>;
  /** @param count as how many calls it counts @throws AppError RATE_LIMITED */
  enforceRateLimit(call: RateLimitedCall, account?: string, count?: number): Promise<void>;
  /** On the response, whatever it will be. A WebSocket's has none. */
  setCookie(cookie: ResponseCookie): void;
}

/** @param setCookie is told of each cookie that the response is to set @throws Error when a setting is missing */
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

/** Cloudflare's own header: clients can forge every other one. */
export function ipOf(request: Request): string {
  return request.headers.get("cf-connecting-ip") ?? "unknown";
}

/** A copy of a program's request without its body, which stays with the request itself. */
export function withoutCookies(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  return new Request(request.url, { method: request.method, headers });
}
