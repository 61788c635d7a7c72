import type { UploadSession } from "#durable-objects/upload-session.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { findCurrentUser } from "./accounts/accounts.ts";
import { createAuth, type Auth } from "./accounts/auth.ts";
import { openDatabase, type Database } from "./db/client.ts";
import { readSettings, type Settings } from "./settings.ts";
import { createSigner, type Signer } from "./storage/signing.ts";

/** What features stand on. Built once for each environment, not for each request. */
export interface Services {
  settings: Settings;
  db: Database;
  bucket: R2Bucket;
  signer: Signer;
  auth: Auth;
  uploads: DurableObjectNamespace<UploadSession>;
}

/** What one request may use, for Hono and Remix alike. */
export interface RequestContext {
  services: Services;
  request: Request;
  /** Who is signed in; looked up once, and only when asked. */
  currentUser(): Promise<CurrentUser | null>;
  waitUntil(work: Promise<unknown>): void;
}

const built = new WeakMap<Env, Services>();

/** The services of an environment. @throws Error when a setting is missing */
export function servicesFor(env: Env): Services {
  const known = built.get(env);
  if (known) return known;
  const settings = readSettings(env);
  const db = openDatabase(env.DB);
  const services: Services = {
    settings,
    db,
    bucket: env.BUCKET,
    signer: createSigner(settings.s3),
    auth: createAuth(db, settings),
    uploads: env.UPLOADS,
  };
  built.set(env, services);
  return services;
}

/** The context of one request. */
export function createRequestContext(
  request: Request,
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
): RequestContext {
  const services = servicesFor(env);
  let user: Promise<CurrentUser | null> | null = null;
  return {
    services,
    request,
    currentUser: () => (user ??= findCurrentUser(services, request.headers)),
    waitUntil: (work) => {
      ctx.waitUntil(work);
    },
  };
}

const requestIds = new WeakMap<Request, string>();

/** Names a request in the log and in an answer of 500: the edge's own id, where there is one. */
export function requestIdOf(request: Request): string {
  const known = requestIds.get(request) ?? request.headers.get("cf-ray") ?? crypto.randomUUID();
  requestIds.set(request, known);
  return known;
}
