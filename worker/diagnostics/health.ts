import { reachedWarnings } from "#domain/database-fill.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { SCANNER_AWAY_MS } from "#domain/moderation/scan.ts";
import { EXPIRED_BYTES_DELETED_WITHIN_MS } from "#domain/upload-lifetime.ts";
import type { Health, HealthCheck, HealthCheckName, HealthWarning } from "#domain/wire.ts";
import { sampleOutbox } from "../db/mail.ts";
import { findUnapprovedOrphans } from "../db/orphans.ts";
import { findScannerOutage } from "../db/scans.ts";
import { listSweepRuns } from "../db/overview.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { pingStore } from "../storage/objects.ts";
import { readDatabaseFill } from "./database-size.ts";

const CHECK_TIMEOUT_MS = 5 * SECOND_MS;

/** The name of a rate limiter that counts no calls. */
const HEALTH_LIMITER_NAME = "health";

/**
 * After this time without a run, the cron, which runs each minute, counts as silent: the promise that expired bytes are
 * deleted would be broken.
 */
const CRON_SILENT_MS = EXPIRED_BYTES_DELETED_WITHIN_MS;
/** A chore of the cron that failed in so many runs in a row does not recover by itself. */
const FAILED_RUNS = 5;
/**
 * A mail that is due for so long is late: a queue brings a mail at once, and the cron gives it to the queue again after
 * five minutes.
 */
const MAIL_LATE_MS = 15 * MINUTE_MS;
/** A queue's message that waits for so long is late: messages are handled within seconds. */
const MESSAGE_LATE_MS = 15 * MINUTE_MS;
/** One mail address can be wrong; three addresses that are refused three times each are no coincidence. */
const REFUSALS = 3;
const REFUSED_ADDRESSES = 3;

interface Check {
  /** Whether the check reads rows. If the database fails, such a check says nothing, so it is left out. */
  readsRows?: boolean;
  /**
   * Runs the check, which reads few rows, because a monitor may ask each second.
   * @param now epoch milliseconds
   * @throws Error whose message says what is wrong
   */
  run(services: Services, now: number): Promise<unknown>;
}

/** The checks of `/api/health`. The answer says of each check only whether it is well; the log says what is wrong. */
const CHECKS: Record<HealthCheckName, Check> = {
  database: { run: readDatabaseFill },
  storage: { run: ({ bucket }) => pingStore(bucket) },
  durableObjects: { run: ({ limiters }) => limiters.get(limiters.idFromName(HEALTH_LIMITER_NAME)).countedCalls() },
  queues: { run: checkQueues },
  cron: { readsRows: true, run: checkCron },
  chores: { readsRows: true, run: checkChores },
  mail: { readsRows: true, run: checkMail },
  orphans: { readsRows: true, run: checkOrphans },
  scanner: { readsRows: true, run: checkScanner },
};

/** @param now epoch milliseconds */
export async function checkHealth(services: Services, now: number): Promise<Health> {
  // If the database does not answer, there are no warnings: the check of the database reports that.
  const reading = withTimeout(readWarnings(services, now)).catch(() => []);
  const results = await Promise.all(
    Object.entries(CHECKS).map(async ([name, { run }]) => [name, await check(name, () => run(services, now))] as const),
  );
  const all = Object.fromEntries(results) as Record<HealthCheckName, HealthCheck>;
  const known = results.filter(([name]) => all.database.ok || !CHECKS[name as HealthCheckName].readsRows);
  return { ok: known.every(([, { ok }]) => ok), checks: Object.fromEntries(known), warnings: await reading };
}

/** The warnings about what needs an operator soon. Warnings leave the answer's `ok` true. */
async function readWarnings(services: Services, now: number): Promise<HealthWarning[]> {
  const fill = await readDatabaseFill(services, now);
  const { percent, daysLeft } = fill;
  return reachedWarnings(fill).length > 0 ? [{ what: "database", percent, daysLeft }] : [];
}

async function check(name: string, run: () => Promise<unknown>): Promise<HealthCheck> {
  const startedAt = Date.now();
  try {
    await withTimeout(run());
    return { ok: true, ms: Date.now() - startedAt };
  } catch (error) {
    logError("health.failed", error, { check: name });
    return { ok: false, ms: Date.now() - startedAt };
  }
}

async function withTimeout<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Checks the queues of downloads and webhooks and the dead letters, by Cloudflare's figures, which may be some seconds old. Does not
 * check the queues of mails, which may wait for hours between attempts; `checkMail` reads the rows of mails.
 */
async function checkQueues({ queues: { downloads, webhooks, deadLetters } }: Services, now: number): Promise<void> {
  for (const [name, queue] of Object.entries({ downloads, webhooks, deadLetters })) {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics();
    const isDead = name === "deadLetters";
    const oldest = oldestMessageTimestamp?.getTime() ?? now;
    if (backlogCount === 0 || (!isDead && oldest > now - MESSAGE_LATE_MS)) continue;
    throw new Error(`${name}: ${backlogCount} messages, the oldest of ${new Date(oldest).toISOString()}`);
  }
}

/**
 * Checks that the cron runs. Under `wrangler dev`, which runs no cron, only a cron that has run before can be silent.
 */
async function checkCron({ db, settings }: Services, now: number): Promise<void> {
  const [last] = await listSweepRuns(db, 1);
  if (!last && settings.appEnv !== "production") return;
  if (!last) throw new Error("the cron has not run yet");
  if (last.startedAt.getTime() <= now - CRON_SILENT_MS) {
    throw new Error(`the cron last ran at ${last.startedAt.toISOString()}`);
  }
}

async function checkChores({ db }: Services): Promise<void> {
  const runs = await listSweepRuns(db, FAILED_RUNS);
  if (runs.length < FAILED_RUNS) return;
  const [first = [], ...others] = runs.map(({ failed }) => failed.split(",").filter((name) => name !== ""));
  const stuck = first.filter((name) => others.every((failed) => failed.includes(name)));
  if (stuck.length > 0) throw new Error(`failed in ${FAILED_RUNS} runs in a row: ${stuck.join(", ")}`);
}

async function checkMail({ db }: Services, now: number): Promise<void> {
  const mails = await sampleOutbox(db);
  // The cron puts off a mail that it gives to a queue once more, so a mail without an attempt counts as due since its
  // row was made.
  const oldest = Math.min(
    ...mails.map(({ attempts, failure, nextAttemptAt, createdAt }) =>
      (attempts === 0 && failure === null ? createdAt : nextAttemptAt).getTime(),
    ),
  );
  if (oldest <= now - MAIL_LATE_MS) throw new Error(`a mail has been due since ${new Date(oldest).toISOString()}`);
  const refused = new Set(mails.filter(({ attempts }) => attempts >= REFUSALS).map(({ to }) => to));
  if (refused.size >= REFUSED_ADDRESSES) throw new Error(`mails to ${refused.size} addresses are refused`);
}

async function checkOrphans({ db }: Services): Promise<void> {
  if (await findUnapprovedOrphans(db, 1)) throw new Error("there are too many objects without a row");
}

/** Checks that the scanner has not been failing for some time. Asks the database, not the scanner. */
async function checkScanner({ db, settings }: Services, now: number): Promise<void> {
  if (settings.scan === null) return;
  const outage = await findScannerOutage(db);
  if (outage === null || outage.since.getTime() > now - SCANNER_AWAY_MS) return;
  throw new Error(`the scanner has failed since ${outage.since.toISOString()}: ${outage.reason}`);
}
