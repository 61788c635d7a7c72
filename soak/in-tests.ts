import { SECOND_MS } from "#domain/units.ts";
import { proveInTest } from "../bench/support/in-test.ts";
import { report } from "./report.ts";

// Parts that are tests of the suite, run with far more rounds. Each part writes its report, and returns whether it
// found no problem.

/** The options as they are given on the command line. */
export interface SoakOptions {
  seed: string;
  count?: string | undefined;
}

/** Milliseconds that a page's query may take in a large database. */
const PAGE_LIMIT_MS = 50;

/** Proves that objects and rows still belong together after many operations with faults. */
export async function orphans(options: SoakOptions): Promise<boolean> {
  const count = Number(options.count ?? "1000");
  const proof = { file: "test/worker/reconciliation.test.ts", title: "every object has a row, every file its object" };
  const { ok, durationMs } = proveInTest(proof, { MIXED_OPERATIONS: String(count) });
  const text =
    "Files are started, sent, finished, cancelled, abandoned, downloaded and deleted on every transport " +
    "through the Worker, and the cron runs, while calls to D1 and R2 fail: rejected, or executed with the " +
    "answer lost, once or for longer than any retry. After these operations, alarms and sweep run, and a " +
    "reconciliation looks for objects without a row, files without an object, and monthly totals that are " +
    "not the sum of their rows.";
  await report("Orphans", text, [
    ["operations", count],
    ["faults", count / 10],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["no findings", ok ? "yes" : "no"],
  ]);
  return ok;
}

/** Proves that every limit and total holds under parallel calls. */
export async function races(options: SoakOptions): Promise<boolean> {
  const count = Number(options.count ?? "20");
  const proof = { file: "test/worker/races.test.ts", title: "fifty parallel calls" };
  const { ok, durationMs } = proveInTest(proof, { RACE_ROUNDS: String(count) });
  const text =
    "Fifty parallel calls start uploads against each limit of a plan, complete and cancel the same " +
    "uploads, download one file and open sockets. Each total must equal the sum of its rows, and each " +
    "limit must hold.";
  await report("Races", text, [
    ["rounds", count],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["every total correct", ok ? "yes" : "no"],
  ]);
  return ok;
}

/** Proves that pages stay fast in a large database. */
export async function scale(options: SoakOptions): Promise<boolean> {
  const files = Number(options.count ?? "1000000");
  const proof = { file: "test/worker/scale.test.ts", title: "the cost of a page does not grow" };
  const settings = { SCALE_FILES: String(files), SCALE_MOST_MS: String(PAGE_LIMIT_MS) };
  const { ok, lines } = proveInTest(proof, settings);
  const text =
    `The database holds ${files.toLocaleString("en-US")} files, as many rows in the upload log, and a tenth ` +
    "as many users. The database reports the rows that each page reads, with half of these rows stored and " +
    "with all of them: no page may read more rows with all than with half, and no page may take " +
    `${PAGE_LIMIT_MS} ms.`;
  const measured = lines.flatMap((line) => {
    const found = /measured (\S+): (.*)$/.exec(line);
    return found ? [[found[1] ?? "", found[2] ?? ""] satisfies [string, string]] : [];
  });
  await report("Scale", text, measured);
  return ok;
}

/** Proves that every plan is right although Stripe's events arrive shuffled. */
export async function billing(options: SoakOptions): Promise<boolean> {
  const count = Number(options.count ?? "1000");
  const proof = {
    file: "test/worker/billing-webhook.test.ts",
    title: "the plan is right although events arrive shuffled",
  };
  const { ok, durationMs } = proveInTest(proof, { BILLING_LIVES: String(count) });
  const text =
    "Subscriptions change at a double of Stripe: bought, changed, unpaid, cancelled, ended, several at a " +
    "time. The events of the subscriptions arrive in any order, some in parallel, each one to three times. " +
    "At the end each account's plan must be what Stripe says, and the owner of a file kept forever has been " +
    "told at most once that it will expire.";
  await report("Billing", text, [
    ["subscriptions", count],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["every plan as at Stripe", ok ? "yes" : "no"],
  ]);
  return ok;
}

/** Proves that download limits hold in random walks. */
export async function limits(options: SoakOptions): Promise<boolean> {
  const count = Number(options.count ?? "20000");
  const proof = {
    file: "test/unit/durable-objects/gate-walk.test.ts",
    title: "random walks, and never above its limit",
  };
  const { ok, durationMs } = proveInTest(proof, { GATE_WALKS: String(count) });
  const text =
    "Browsers take places of a link with a download limit, read ranges, break off, go on, vanish and report late, in " +
    "any order. After each step the gate must agree with a second, simpler model, and must be within its limits.";
  await report("Limits", text, [
    ["walks of 60 steps and more", count],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["always as the model", ok ? "yes" : "no"],
  ]);
  return ok;
}

/** Proves that the totals of months and requests agree with their rows in random walks. */
export async function quota(options: SoakOptions): Promise<boolean> {
  const count = Number(options.count ?? "300");
  const proof = { file: "test/worker/quota-walk.test.ts", title: "months and requests have what their rows say" };
  const { ok, durationMs } = proveInTest(proof, { QUOTA_WALKS: String(count) });
  const text =
    "Owners and strangers start uploads, alone and several at once, into accounts and through upload requests. " +
    "Uploads grow, finish, fail and are cancelled, storage fails, files are deleted, senders refused, months end, the " +
    "cron runs, and requests are closed, opened, changed and deleted, in any order. After each step the counts of the " +
    "month and of the request must be what the rows say, and an upload must start or grow exactly when it fits.";
  await report("Quota", text, [
    ["walks of 25 to 40 steps", count],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["always as the rows", ok ? "yes" : "no"],
  ]);
  return ok;
}

/** Proves that no input causes a fault of the server. */
export async function fuzz(options: SoakOptions): Promise<boolean> {
  const [count, seed] = [Number(options.count ?? "20000"), Number(options.seed)];
  const proof = { file: "test/worker/fuzz.test.ts", title: "" };
  const { ok, durationMs } = proveInTest(proof, { FUZZ_REQUESTS: String(count), FUZZ_SEED: String(seed) });
  const text =
    "Requests to every call and every page, generated from valid input and against it: missing, mistyped, " +
    "too long and malformed fields; strange paths, queries, headers and bodies; from a visitor, the " +
    "owner, another user, an administrator, and with a forged cookie. The requests include real ids of the " +
    "wrong kind (16 kinds of uploads and files, and six other things), addresses that a URL parser rejects, " +
    "unusual media types and unsafe names. A third of the requests are sequences about one upload: " +
    "started, then finished, cancelled, read and deleted in any order. For every twenty requests, a message " +
    "is sent to a socket, twice. No input may cause a 5xx, redirect to another site, give HTML a charset " +
    "that breaks a rewriter, or serve a name that is unsafe to save.";
  await report("Fuzz", text, [
    ["seed", seed],
    ["requests", count],
    ["socket messages", 2 * Math.ceil(count / 20)],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["faults", ok ? "none" : "some"],
  ]);
  return ok;
}
