import { parseArgs } from "node:util";
import { formatBytes, GIB, MIB, SECOND_MS } from "#domain/units.ts";
import { ENGINE_NAMES, enginesNamed, proveBrowsers, type EngineProof } from "./browsers.ts";
import { proveCpu } from "./cpu.ts";
import { proveDownloads } from "./downloads.ts";
import { proveKills } from "./kills.ts";
import { CATEGORIES, isGoodEnough, proveLighthouse } from "./lighthouse.ts";
import { MEMORY_LIMIT_BYTES, proveMemory } from "./memory.ts";
import { proveInTest } from "./in-test.ts";
import { report } from "./report.ts";
import { proveRoads } from "./transports.ts";
import { paceOf, proveSweep } from "./sweep.ts";

/**
 * Proofs that take too long for every day. `npm run soak` runs all of them, `npm run soak -- kills` (or another's name)
 * one; `--count` sets the number of files, kills, operations, rounds, rows, lives or requests, and `--seed` what they are
 * drawn from; for `cpu` it is megabytes. `--only chromium,firefox` names the engines of `browsers`, which needs all three otherwise. The outcome is written to docs/soak.md, and the exit code is 1 when something was lost or a bound was broken.
 */
const PROOFS = {
  roads,
  kills,
  orphans,
  races,
  sweep,
  scale,
  memory,
  cpu,
  downloads,
  billing,
  fuzz,
  lighthouse,
  browsers,
};

/** D1 may take so long for a page of the admin area. */
const PAGE_LIMIT_MS = 50;

/** How often curl is killed in one download. */
const CURL_KILLS = 8;

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" }, count: { type: "string" }, only: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in PROOFS));
if (unknown !== undefined) {
  console.error(`There is no proof "${unknown}": choose among ${Object.keys(PROOFS).join(", ")}.`);
  process.exit(1);
}
const engines = enginesNamed(values.only);
if (engines === null) {
  console.error(`--only takes engines, with commas between them: ${ENGINE_NAMES.join(", ")}.`);
  process.exit(1);
}
for (const [name, prove] of Object.entries(PROOFS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!(await prove())) process.exitCode = 1;
}

async function kills(): Promise<boolean> {
  const result = await proveKills({
    seed: Number(values.seed),
    count: Number(values.count ?? "200"),
    uploadsPerRoad: 2,
    isPatient: false,
    log,
  });
  const text =
    "The whole local runtime is killed (SIGKILL) while two uploads are under way on every road: parts to presigned " +
    "URLs, parts through the Worker, chunks through the Worker. It starts again on the same storage, everything that " +
    "was acknowledged is asked for, the uploads go on, and each finished file is downloaded and compared by SHA-256. " +
    "An acknowledged part or chunk counts once for each kill that it had to outlive. Meanwhile somebody uploads, deletes " +
    "files and accounts, and the cron runs: after each kill what was deleted is gone for readers and what was kept is " +
    "whole; in the end the deleted objects are gone from the store.";
  await report("Kills", text, [
    ["seed", result.seed],
    ["kills", result.kills],
    ["requests cut off", result.cutOff],
    ["acknowledged parts checked", result.checked.parts],
    ["acknowledged chunks checked", result.checked.chunks],
    ["files whose deletion was acknowledged", result.deletions.files],
    ["accounts whose deletion was acknowledged", result.deletions.accounts],
    ["looks at ended links", result.deletions.goneChecked],
    ["looks at kept files, compared", result.deletions.keptChecked],
    ["uploads finished and compared", result.finished],
    ["their bytes", formatBytes(result.finishedBytes)],
    ["losses and other faults", result.problems.length],
  ]);
  return result.problems.length === 0;
}

async function roads(): Promise<boolean> {
  const result = await proveRoads(Number(values.seed), Number(values.count ?? "500"), log);
  const text =
    "Files of random sizes and bytes go up every road, and come down again whole: an answer of 200 has to hold the very " +
    "bytes that were sent, by SHA-256.";
  await report("Roads", text, [
    ["seed", result.seed],
    ...[...result.same].map(([transport, count]): [string, number] => [`by ${transport}, the same`, count]),
    ["their bytes", formatBytes(result.bytes)],
    ["mismatches", result.mismatches.length],
  ]);
  for (const mismatch of result.mismatches) log(mismatch);
  return result.mismatches.length === 0;
}

async function orphans(): Promise<boolean> {
  const count = Number(values.count ?? "1000");
  const proof = { file: "test/worker/reconciliation.test.ts", title: "no object is left without a row" };
  const { ok, durationMs } = proveInTest(proof, { MIXED_OPERATIONS: String(count) });
  const text =
    "Files are started, sent, finished, cancelled, left, downloaded and deleted, on every road that passes the Worker, " +
    "and the cron runs, while calls to D1 and R2 fail: refused, or done and the answer lost, once or for longer than " +
    "anybody tries. Then alarms and sweep have their turn, and a reconciliation looks for objects without a row, files without " +
    "their object, and months that are not the sum of their rows.";
  await report("Orphans", text, [
    ["operations", count],
    ["faults", count / 10],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["nothing amiss", ok ? "yes" : "no"],
  ]);
  return ok;
}

async function races(): Promise<boolean> {
  const count = Number(values.count ?? "20");
  const proof = { file: "test/worker/races.test.ts", title: "after a race of fifty" };
  const { ok, durationMs } = proveInTest(proof, { RACE_ROUNDS: String(count) });
  const text =
    "Fifty at once start uploads against each limit of a plan, complete and cancel the same ones, download one file and " +
    "open sockets. Each total has to be what the rows add up to, each limit to hold.";
  await report("Races", text, [
    ["rounds", count],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["every total right", ok ? "yes" : "no"],
  ]);
  return ok;
}

async function cpu(): Promise<boolean> {
  const sizeBytes = Number(values.count ?? "95") * MIB;
  const computed = await proveCpu(sizeBytes);
  const text =
    `Files of ${formatBytes(sizeBytes)} go through the Worker on each road, and V8's profiler tells what our code computes. ` +
    "Laid on the largest request there is, each has to stay below what the platform allows; so has the hash of the " +
    "largest file that came in chunks, at this machine's speed.";
  const inSeconds = (ms: number) => `${(ms / SECOND_MS).toFixed(2)} s`;
  await report("CPU", text, [
    ...computed.map(({ what, cpuMs, limitMs }): [string, string] => [
      what,
      `${inSeconds(cpuMs)} of ${limitMs / SECOND_MS} s`,
    ]),
  ]);
  return computed.every(({ cpuMs, limitMs }) => cpuMs < limitMs);
}

async function scale(): Promise<boolean> {
  const files = Number(values.count ?? "1000000");
  const proof = { file: "test/worker/scale.test.ts", title: "a page costs the same" };
  const settings = { SCALE_FILES: String(files), SCALE_MOST_MS: String(PAGE_LIMIT_MS) };
  const { ok, lines } = proveInTest(proof, settings);
  const text =
    `${files.toLocaleString("en-US")} files, as many rows in the log of uploads, a tenth as many users. What a page asks ` +
    `the database is weighed by the database's own account, at half of that and at all of it: no page may read more rows ` +
    `than before, and none may take ${PAGE_LIMIT_MS} ms.`;
  const weighed = lines.flatMap((line) => {
    const found = /weighed (\S+): (.*)$/.exec(line);
    return found ? [[found[1] ?? "", found[2] ?? ""] satisfies [string, string]] : [];
  });
  await report("Scale", text, weighed);
  return ok;
}

async function sweep(): Promise<boolean> {
  const rows = Number(values.count ?? "1000000");
  const options = { seed: Number(values.seed), rows, objects: Math.min(rows, 3000), kills: 20, log };
  const result = await proveSweep(options);
  const text =
    "Expired files wait for the sweep, among living ones. Ten runs of the cron sweep at the same time, and the whole " +
    "runtime is killed (SIGKILL) under them; then ten at a time go on to the end. Every expired object has to be gone, " +
    "every living row and object untouched.";
  await report("Sweep", text, [
    ["seed", result.seed],
    ["expired rows", result.rows],
    ["with an object", result.objects],
    ["kills", result.kills],
    ["rows swept under kills", result.sweptUnderKills],
    ["rows swept after them", `${result.rest.rows}, ${paceOf(result)} a second`],
    ["faults", result.problems.length],
  ]);
  for (const problem of result.problems) log(problem);
  return result.problems.length === 0;
}

async function memory(): Promise<boolean> {
  const result = await proveMemory(log);
  const { idle, most } = result;
  const text = `A tab uploads a sparse file. Its process may take ${formatBytes(MEMORY_LIMIT_BYTES)}, the idle page included.`;
  await report("Memory", text, [
    ["file", formatBytes(result.fileBytes)],
    ["duration", `${(result.durationMs / SECOND_MS).toFixed(0)} s`],
    ["samples", result.samples],
    ["JavaScript heap, idle", formatBytes(idle.heapBytes)],
    ["JavaScript heap, at most", formatBytes(most.heapBytes)],
    ["tab's process, resident, idle", formatBytes(idle.residentBytes)],
    ["tab's process, resident, at most", formatBytes(most.residentBytes)],
  ]);
  return most.residentBytes < MEMORY_LIMIT_BYTES;
}

async function downloads(): Promise<boolean> {
  const { seed, fileBytes, cutAtBytes, isWhole } = await proveDownloads({
    seed: Number(values.seed),
    fileBytes: GIB,
    kills: CURL_KILLS,
    log,
  });
  const text =
    "curl downloads a file, is killed (SIGKILL) at points of the transfer that are drawn at random, and goes on each " +
    "time with `curl -C -`. What the pieces make up is compared with what was sent, by SHA-256.";
  await report("Downloads", text, [
    ["seed", seed],
    ["file", formatBytes(fileBytes)],
    ["kills", cutAtBytes.length],
    ["cut at", cutAtBytes.map((bytes) => formatBytes(bytes)).join(", ")],
    ["byte for byte the same", isWhole ? "yes" : "no"],
  ]);
  return isWhole;
}

async function billing(): Promise<boolean> {
  const count = Number(values.count ?? "1000");
  const proof = { file: "test/worker/billing-webhook.test.ts", title: "the plan comes out right" };
  const { ok, durationMs } = proveInTest(proof, { BILLING_LIVES: String(count) });
  const text =
    "Subscriptions live at Stripe's double: bought, changed, unpaid, left, ended, several at a time. Meanwhile their " +
    "events arrive in any order, some at the same time, each once to three times. At the end the plan has to be what " +
    "Stripe says, and the owner of a file kept forever has been told at most once that it ends.";
  await report("Billing", text, [
    ["lives", count],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["every plan as Stripe has it", ok ? "yes" : "no"],
  ]);
  return ok;
}

async function fuzz(): Promise<boolean> {
  const [count, seed] = [Number(values.count ?? "20000"), Number(values.seed)];
  const proof = { file: "test/worker/fuzz.test.ts", title: "" };
  const { ok, durationMs } = proveInTest(proof, { FUZZ_REQUESTS: String(count), FUZZ_SEED: String(seed) });
  const text =
    "Requests to every call and every page, made from what they take and against it: fields left out, of another kind, " +
    "too long, malformed; strange paths, queries, headers and bodies; from nobody, the owner, another, an administrator, " +
    "and with a forged cookie. Real ids of another kind stand where an id belongs (16 kinds of uploads and files, and six " +
    "other things), and there are addresses that a URL parser rejects, unusual media types and unsafe names. A third of " +
    "the requests come in sequences about one upload: it is started, then finished, cancelled, read and deleted in any " +
    "order. A twentieth as many messages go to sockets, twice each. No input may make a fault (5xx), lead to another " +
    "site, give HTML a charset that fails whoever rewrites it, or serve a name that is not safe to save.";
  await report("Fuzz", text, [
    ["seed", seed],
    ["requests", count],
    ["socket messages", 2 * Math.ceil(count / 20)],
    ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ["faults", ok ? "none" : "some"],
  ]);
  return ok;
}

async function lighthouse(): Promise<boolean> {
  const judged = await proveLighthouse(Number(values.count ?? "3"), log);
  const text =
    "Lighthouse judges the built pages on the local system as a phone on a slow line sees them: performance, " +
    "accessibility, best practices, SEO. At least 95, 100, 100 and 100 are asked for; SEO of listed pages alone.";
  await report(
    "Lighthouse",
    text,
    judged.map(({ page, scores, least }) => [
      page,
      CATEGORIES.filter((category) => least[category] !== null)
        .map((category) => scores[category])
        .join(" · "),
    ]),
  );
  for (const { page, faults } of judged.filter((page) => !isGoodEnough(page))) log(`${page}: ${faults.join(", ")}`);
  return judged.every(isGoodEnough);
}

async function browsers(): Promise<boolean> {
  const proofs = await proveBrowsers(engines ?? ENGINE_NAMES, log);
  const text =
    "The main job in each browser engine, over a line that can be cut; [browsers.md](browsers.md) tells what an engine cannot do.";
  const across = (figure: (proof: EngineProof) => string | number) => proofs.map(figure).join(" · ");
  const steps = new Set(proofs.flatMap(({ outcomes }) => outcomes.map(({ step }) => step)));
  const figureOf = ({ outcomes }: EngineProof, wanted: string) => outcomes.find(({ step }) => step === wanted)?.figure;
  await report("Browsers", text, [
    ["engine", across(({ version }) => version)],
    ...[...steps].map((step): [string, string] => [step, across((proof) => figureOf(proof, step) ?? "not reached")]),
    ["faults, errors on the console included", across(({ problems }) => problems.length)],
    ["duration", across(({ durationMs }) => `${(durationMs / SECOND_MS).toFixed(0)} s`)],
  ]);
  return proofs.every(({ problems }) => problems.length === 0);
}

function log(line: string): void {
  console.log(line);
}
