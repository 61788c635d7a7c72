import type { RateLimitedCall } from "#domain/rate-limits.ts";
import type { AdminViewer, CurrentUser } from "#domain/wire.ts";
import { findCurrentUser } from "./accounts/accounts.ts";
import { findCurrentAdmin } from "./admin/sessions.ts";
import { enforceRateLimit } from "./limits/rate-limits.ts";
import { servicesFor, type Services } from "./services.ts";

/** What the code that answers one request may use, in API handlers and page loaders alike. */
export interface RequestContext {
  services: Services;
  request: Request;
  /** The signed-in user, or null. Looked up at most once. */
  currentUser(): Promise<CurrentUser | null>;
  /** The administrator whose admin session the request carries, or null. Looked up at most once. */
  currentAdmin(): Promise<AdminViewer | null>;
  /** Counts this call against its rate limits. @throws AppError RATE_LIMITED */
  enforceRateLimit(call: RateLimitedCall, account?: string): Promise<void>;
}

/** Creates the context of one request. @throws Error when a setting is missing */
export function createRequestContext(request: Request, env: Env): RequestContext {
  const services = servicesFor(env);
  let user: Promise<CurrentUser | null> | null = null;
  let admin: Promise<AdminViewer | null> | null = null;
  return {
    services,
    request,
    currentUser: () => (user ??= findCurrentUser(services, request.headers, Date.now())),
    currentAdmin: () => (admin ??= findCurrentAdmin(services, request.headers, Date.now())),
    enforceRateLimit: (call, account) =>
      enforceRateLimit(services, call, { address: addressOf(request), ...(account === undefined ? {} : { account }) }),
  };
}

/** The client's IP address, from Cloudflare's own header alone: clients can forge every other one. */
export function addressOf(request: Request): string {
  return request.headers.get("cf-connecting-ip") ?? "unknown";
}
