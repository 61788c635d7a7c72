import { waitUntil } from "cloudflare:workers";
import { deriveDataKeys, type DataKeys } from "#domain/data-keys.ts";
import type { LinkCheck } from "#domain/moderation/link-check.ts";
import { deriveLinkTokenKeys, type LinkTokenKeys } from "#domain/protection/tokens.ts";
import { deriveNoticeKeys, type NoticeKeys } from "#domain/notices/tokens.ts";
import { deriveChallengeKey } from "#domain/passkeys.ts";
import type { RoughLimit } from "#domain/rate-limits.ts";
import type { AccountFeed } from "#durable-objects/feed/account-feed.ts";
import type { DownloadGate } from "#durable-objects/gate/download-gate.ts";
import type { RateLimiter } from "#durable-objects/limits/rate-limiter.ts";
import type { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import type { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { createAuth, type Auth } from "./accounts/auth.ts";
import { openDatabase, type Database } from "./db/client.ts";
import type { FinishedDownload } from "./db/download-counts.ts";
import { createOutbox, type MailQueues, type Outbox } from "./mail/outbox.ts";
import { createTransport } from "./mail/transports.ts";
import { readSettings, type Settings } from "./settings.ts";
import { openBucket } from "./storage/bucket.ts";
import { inJurisdiction } from "./storage/jurisdiction.ts";
import { createSigner, type Signer } from "./storage/signing.ts";

/**
 * The means that features have: bindings of the platform, settings, and what is derived from both. The services are
 * built once per environment, not per request.
 */
export interface Services {
  settings: Settings;
  db: Database;
  bucket: R2Bucket;
  /** The files of the build. */
  assets: Fetcher;
  signer: Signer;
  auth: Auth;
  outbox: Outbox;
  uploads: DurableObjectNamespace<UploadSession>;
  transfers: DurableObjectNamespace<TransferSession>;
  limiters: DurableObjectNamespace<RateLimiter>;
  /** The Rate Limiting bindings, by the number of calls that each allows in a minute. */
  roughLimiters: Record<RoughLimit, RateLimit>;
  gates: DurableObjectNamespace<DownloadGate>;
  feeds: DurableObjectNamespace<AccountFeed>;
  queues: MailQueues & {
    downloads: Queue<FinishedDownload>;
    /** The queue of webhooks, which takes ids of deliveries. */
    webhooks: Queue<string>;
    /** The queue of ready links that the Worker has something to do with. */
    checks: Queue<LinkCheck>;
    /** The queue of messages that a consumer could not handle. Only the platform puts messages into this queue. */
    deadLetters: Queue;
  };
  /** The keys that sign the grants and leases of protected links. The keys are derived at their first use. */
  linkTokenKeys(): Promise<LinkTokenKeys>;
  /** The key that signs the challenges for passkeys. The key is derived at its first use. */
  challengeKey(): Promise<CryptoKey>;
  /**
   * The keys that sign unsubscribe links and hash the addresses that want no mail. The keys are derived at their first
   * use.
   */
  noticeKeys(): Promise<NoticeKeys>;
  /**
   * The keys that encrypt secrets in the database, such as the secrets of second factors. The keys are derived at their
   * first use.
   */
  dataKeys(): Promise<DataKeys>;
  /** Keeps the Worker alive after the response until the work is done. */
  waitUntil(work: Promise<unknown>): void;
}

const servicesByEnv = new WeakMap<Env, Services>();

/** @throws Error when a setting is missing */
export function servicesFor(env: Env): Services {
  const existing = servicesByEnv.get(env);
  if (existing) return existing;
  const settings = readSettings(env);
  const db = openDatabase(env.DB);
  const queues = {
    downloads: env.DOWNLOADS,
    mails: env.MAILS,
    notices: env.NOTICES,
    webhooks: env.WEBHOOKS,
    checks: env.CHECKS,
    deadLetters: env.DEAD_LETTERS,
  } as Services["queues"];
  const transport = createTransport(settings.mail, db, env.SEND_EMAIL);
  const { mailsADay } = settings.mail;
  const outbox = createOutbox({ db, transport, queues, mailsADay, waitUntil });
  let guardKeys: Promise<LinkTokenKeys> | null = null;
  let challengeKey: Promise<CryptoKey> | null = null;
  let noticeKeys: Promise<NoticeKeys> | null = null;
  let dataKeys: Promise<DataKeys> | null = null;
  const services: Services = {
    settings,
    db,
    bucket: openBucket(env.BUCKET),
    assets: env.ASSETS,
    signer: createSigner(settings.s3),
    auth: createAuth(db, settings, outbox),
    outbox,
    uploads: inJurisdiction(env, env.UPLOADS),
    transfers: inJurisdiction(env, env.TRANSFERS),
    limiters: inJurisdiction(env, env.LIMITERS),
    roughLimiters: {
      60: env.PER_MINUTE_60,
      120: env.PER_MINUTE_120,
      300: env.PER_MINUTE_300,
      900: env.PER_MINUTE_900,
    },
    gates: inJurisdiction(env, env.GATES),
    feeds: inJurisdiction(env, env.FEEDS),
    queues,
    linkTokenKeys: () => (guardKeys ??= deriveLinkTokenKeys(env.BETTER_AUTH_SECRET)),
    challengeKey: () => (challengeKey ??= deriveChallengeKey(env.BETTER_AUTH_SECRET)),
    noticeKeys: () => (noticeKeys ??= deriveNoticeKeys(env.BETTER_AUTH_SECRET)),
    dataKeys: () => (dataKeys ??= deriveDataKeys(settings.dataKey, settings.formerDataKey)),
    waitUntil,
  };
  servicesByEnv.set(env, services);
  return services;
}

/** The settings of an environment; null when a setting is missing. */
export function findSettings(env: Env): Settings | null {
  try {
    return servicesFor(env).settings;
  } catch {
    return null;
  }
}
