import { waitUntil } from "cloudflare:workers";
import type { RateLimiter } from "#durable-objects/rate-limiter.ts";
import type { UploadSession } from "#durable-objects/upload-session.ts";
import type { RateLimitedCall } from "#domain/rate-limits.ts";
import type { AdminViewer, CurrentUser } from "#domain/wire.ts";
import { findCurrentUser } from "./accounts/accounts.ts";
import { createAuth, type Auth } from "./accounts/auth.ts";
import { findCurrentAdmin } from "./admin/sessions.ts";
import { enforceRateLimit } from "./limits/rate-limits.ts";
import { createOutbox, type Outbox } from "./mail/outbox.ts";
import { createTransport } from "./mail/transports.ts";
import { openDatabase, type Database } from "./db/client.ts";
import { readSettings, type Settings } from "./settings.ts";
import { openBucket } from "./storage/bucket.ts";
import { createSigner, type Signer } from "./storage/signing.ts";

/** What features stand on. Built once for each environment, not for each request. */
export interface Services {
  settings: Settings;
  db: Database;
  bucket: R2Bucket;
  signer: Signer;
  auth: Auth;
  outbox: Outbox;
  uploads: DurableObjectNamespace<UploadSession>;
  limiters: DurableObjectNamespace<RateLimiter>;
  /** Lets work go on after the answer has left. */
  waitUntil(work: Promise<unknown>): void;
}

/** What one request may use, for Hono and Remix alike. */
export interface RequestContext {
  services: Services;
  request: Request;
  /** Who is signed in; looked up once, and only when asked. */
  currentUser(): Promise<CurrentUser | null>;
  /** The administrator whose admin session this is; looked up once, and only when asked. */
  currentAdmin(): Promise<AdminViewer | null>;
  /** Counts this call against its limits. @throws AppError RATE_LIMITED */
  enforceRateLimit(call: RateLimitedCall, account?: string): Promise<void>;
}

const built = new WeakMap<Env, Services>();

/** The services of an environment. @throws Error when a setting is missing */
export function servicesFor(env: Env): Services {
  const known = built.get(env);
  if (known) return known;
  const settings = readSettings(env);
  const db = openDatabase(env.DB);
  const outbox = createOutbox(db, createTransport(settings.mail, db, env.SEND_EMAIL), waitUntil);
  const services: Services = {
    settings,
    db,
    bucket: openBucket(env.BUCKET),
    signer: createSigner(settings.s3),
    auth: createAuth(db, settings, outbox),
    outbox,
    uploads: env.UPLOADS,
    limiters: env.LIMITERS,
    waitUntil,
  };
  built.set(env, services);
  return services;
}

/** The context of one request. */
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

/** The caller's address, by the edge's own header alone; others can be written by anybody. */
export function addressOf(request: Request): string {
  return request.headers.get("cf-connecting-ip") ?? "unknown";
}
