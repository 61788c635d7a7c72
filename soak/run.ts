import { parseArgs } from "node:util";
import { formatBytes, GIB, MIB, SECOND_MS } from "#domain/units.ts";
import { proveArchives } from "./archives.ts";
import { BODIES_LIMIT_BYTES, proveBodies } from "./bodies.ts";
import { ENGINE_NAMES, enginesNamed, proveBrowsers, type EngineProof } from "./browsers.ts";
import { proveCpu } from "./cpu.ts";
import { proveDownloads } from "./downloads.ts";
import { follow } from "./follow.ts";
import { guards } from "./guards/part.ts";
import { billing, fuzz, limits, orphans, quota, races, scale } from "./in-tests.ts";
import { proveKills } from "./kills.ts";
import { CATEGORIES, isGoodEnough, proveLighthouse } from "./lighthouse.ts";
import { MEMORY_LIMIT_BYTES, proveMemory } from "./memory.ts";
import { report } from "./report.ts";
import { scan } from "./scan.ts";
import { sealed } from "./sealed.ts";
import { tests } from "./tests.ts";
import { thunderbird } from "./thunderbird.ts";
import { unzipVersion } from "./transfers/archive.ts";
import { proveTransfers } from "./transfers.ts";
import { proveTransports } from "./transports.ts";
import { paceOf, proveSweep } from "./sweep.ts";
import { torn } from "./torn.ts";
import { tus } from "./tus.ts";

/**
 * Long tests with statistics. `npm run soak` runs all of them, `npm run soak -- kills` runs one. `--count` sets the
 * number of files, transfers, kills, operations, rounds, rows, lives, walks or requests (for `cpu`, `follow`
 * and `sealed` megabytes), `--seed` the random seed, `--only chromium,firefox` the engines of `browsers`. Results are written to
 * docs/soak.md; the exit code is 1 when data was lost or a limit was exceeded.
 */
const PROOFS = {
  tests,
  transports,
  tus,
  torn,
  follow,
  kills,
  orphans,
  races,
  quota,
  sweep,
  scale,
  memory,
  cpu,
  downloads,
  archives,
  transfers,
  billing,
  limits,
  guards,
  sealed,
  scan,
  fuzz,
  lighthouse,
  browsers,
  thunderbird,
};

const CURL_KILLS = 8;

const FILES_PER_TRANSFER = 1000;

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" }, count: { type: "string" }, only: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in PROOFS));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". Choose one of ${Object.keys(PROOFS).join(", ")}.`);
  process.exit(1);
}
const engines = enginesNamed(values.only);
if (engines === null) {
  console.error(`--only takes engines, separated by commas: ${ENGINE_NAMES.join(", ")}.`);
  process.exit(1);
}
for (const [name, prove] of Object.entries(PROOFS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!(await prove(values))) process.exitCode = 1;
}

async function kills(): Promise<boolean> {
  const result = await proveKills({
    seed: Number(values.seed),
    count: Number(values.count ?? "200"),
    uploadsPerTransport: 2,
    waitsForAcknowledgements: false,
    log,
  });
  const text =
    "The whole local runtime is killed (SIGKILL) during two uploads on every transport: presigned parts, " +
    "parts through the Worker, chunks. After each restart on the same storage, all acknowledged parts, chunks " +
    "and deletions are checked, the uploads continue, and each finished file is downloaded and compared by " +
    "SHA-256. An acknowledged part or chunk counts once for each kill. During the uploads, other accounts " +
    "upload and delete files, accounts are deleted, and the cron runs: after each kill deleted files are gone " +
    "for readers and kept files are intact. At the end the deleted objects are gone from storage.";
  await report("Kills", text, [
    ["seed", result.seed],
    ["kills", result.kills],
    ["interrupted requests", result.interruptedRequests],
    ["acknowledged parts checked", result.checked.parts],
    ["acknowledged chunks checked", result.checked.chunks],
    ["files whose deletion was acknowledged", result.deletions.files],
    ["accounts whose deletion was acknowledged", result.deletions.accounts],
    ["checks of ended links", result.deletions.goneChecked],
    ["checks of kept files, compared", result.deletions.keptChecked],
    ["uploads finished and compared", result.finished],
    ["total size", formatBytes(result.finishedBytes)],
    ["losses and other problems", result.problems.length],
  ]);
  return result.problems.length === 0;
}

async function transports(): Promise<boolean> {
  const result = await proveTransports(Number(values.seed), Number(values.count ?? "500"), log);
  const text =
    "Files of random sizes are uploaded on every transport and downloaded again. A 200 must contain " +
    "exactly the bytes that were sent, by SHA-256.";
  await report("Transports [HOLD-1]", text, [
    ["seed", result.seed],
    ...[...result.same].map(([transport, count]): [string, number] => [`identical by ${transport}`, count]),
    ["total size", formatBytes(result.bytes)],
    ["mismatches", result.mismatches.length],
  ]);
  for (const mismatch of result.mismatches) log(mismatch);
  return result.mismatches.length === 0;
}

async function cpu(): Promise<boolean> {
  const sizeBytes = Number(values.count ?? "95") * MIB;
  const computed = await proveCpu(sizeBytes);
  const text =
    `Files of ${formatBytes(sizeBytes)} go through the Worker on each transport; V8's profiler measures ` +
    "the CPU time of our code. Scaled to the largest request, the CPU time of each transport must stay below " +
    "the platform's limit; so must that of hashing a bite of a large file that came in chunks, at this " +
    "machine's speed.";
  const inSeconds = (ms: number) => `${(ms / SECOND_MS).toFixed(2)} s`;
  await report(
    "CPU",
    text,
    computed.map(({ what, cpuMs, limitMs }) => [what, `${inSeconds(cpuMs)} of ${limitMs / SECOND_MS} s`]),
  );
  return computed.every(({ cpuMs, limitMs }) => cpuMs < limitMs);
}

async function sweep(): Promise<boolean> {
  const rows = Number(values.count ?? "1000000");
  const options = { seed: Number(values.seed), rows, objects: Math.min(rows, 3000), kills: 20, log };
  const result = await proveSweep(options);
  const text =
    "Ten parallel cron runs sweep expired files among active ones while the whole runtime is killed " +
    "(SIGKILL) repeatedly; after the kills, ten runs at a time finish the sweep. At the end every expired " +
    "object must be gone, and every active row and object unchanged.";
  await report("Sweep [HOLD-9]", text, [
    ["seed", result.seed],
    ["expired rows", result.rows],
    ["of them with an object", result.objects],
    ["kills", result.kills],
    ["rows swept during kills", result.sweptUnderKills],
    ["rows swept afterwards", `${result.rest.rows}, ${paceOf(result)} a second`],
    ["faults", result.problems.length],
  ]);
  for (const problem of result.problems) log(problem);
  return result.problems.length === 0;
}

async function memory(): Promise<boolean> {
  const { idle, max, ...result } = await proveMemory(log);
  const { bodies, bodyBytes, floorBytes, knownBytes, unknownBytes, problems } = await proveBodies(log);
  const text =
    `A tab uploads a sparse file. The tab's process may use ${formatBytes(MEMORY_LIMIT_BYTES)}, including the ` +
    `idle page. Then ${bodies} requests of curl send ${formatBytes(bodyBytes)} each at once. The runtime's process may ` +
    `use ${formatBytes(BODIES_LIMIT_BYTES)} more than while the same bodies go straight to the store, which it runs, too.`;
  await report("Memory", text, [
    ["file", formatBytes(result.fileBytes)],
    ["duration", `${(result.durationMs / SECOND_MS).toFixed(0)} s`],
    ["samples", result.samples],
    ["JavaScript heap, idle", formatBytes(idle.heapBytes)],
    ["JavaScript heap, maximum", formatBytes(max.heapBytes)],
    ["resident memory, idle", formatBytes(idle.residentBytes)],
    ["resident memory, maximum", formatBytes(max.residentBytes)],
    [`the runtime, ${bodies} bodies to the store`, formatBytes(floorBytes)],
    [`${bodies} bodies with Content-Length to the Worker`, formatBytes(knownBytes)],
    [`${bodies} bodies without`, formatBytes(unknownBytes)],
    ["links with other bytes", problems.length],
  ]);
  for (const problem of problems) log(problem);
  const isWithinLimits =
    max.residentBytes < MEMORY_LIMIT_BYTES && Math.max(knownBytes, unknownBytes) < floorBytes + BODIES_LIMIT_BYTES;
  return isWithinLimits && problems.length === 0;
}

async function downloads(): Promise<boolean> {
  const { seed, fileBytes, cutAtBytes, isIdentical } = await proveDownloads({
    seed: Number(values.seed),
    fileBytes: GIB,
    kills: CURL_KILLS,
    log,
  });
  const text =
    "curl downloads a file, is killed (SIGKILL) at random points of the transfer, and resumes each time " +
    "with `curl -C -`. The downloaded file is compared with the original by SHA-256.";
  await report("Downloads", text, [
    ["seed", seed],
    ["file", formatBytes(fileBytes)],
    ["kills", cutAtBytes.length],
    ["killed at", cutAtBytes.map((bytes) => formatBytes(bytes)).join(", ")],
    ["identical", isIdentical ? "yes" : "no"],
  ]);
  return isIdentical;
}

async function archives(): Promise<boolean> {
  const { sizes, versions, tested, dates, problems } = await proveArchives(log);
  const text =
    "ZIPs like those of transfers (names in many scripts, empty files and folders, dates from 1970 to 2107, " +
    "10,000 files, 4.5 GB) are read by every program that is installed. Programs that extract files extract them " +
    "in three time zones: paths, bytes and dates must be the same. A date after January 2038 has no Unix second " +
    "of 32 bits, so it is not compared.";
  await report("Archives", text, [
    ...[...sizes].map(([name, size]): [string, string] => [`archive: ${name}`, formatBytes(size)]),
    ...[...versions].map(([name, version]): [string, string] => [name, version ?? "not installed"]),
    ["archives read whole", tested],
    ["dates compared", dates],
    ["problems", problems.length],
  ]);
  for (const problem of problems) log(problem);
  return problems.length === 0;
}

async function transfers(): Promise<boolean> {
  const [seed, count] = [Number(values.seed), Number(values.count ?? "200")];
  const result = await proveTransfers({
    seed,
    transfers: count,
    filesPerTransfer: FILES_PER_TRANSFER,
    // With these numbers about one kill comes for each two transfers.
    answersBeforeKill: [20, 140],
    log,
  });
  const text =
    `Transfers of ${FILES_PER_TRANSFER.toLocaleString("en-US")} files (mostly small, some of 20 MB, empty files and ` +
    "folders, names in many scripts) are sent, three at a time, to storage or through the Worker, while the whole " +
    "local runtime is killed (SIGKILL). Devices stop, and other devices go on with the transfer by the fingerprint of " +
    "its list. Batches come twice, late and out of order, files change while they are sent, and packs arrive damaged. " +
    "Acknowledged entries and parts are checked after each restart. Every ZIP is read by `unzip -t`, and each of its " +
    "files compared with the sender's. At the end, when deleted and expired transfers are swept, storage holds only " +
    "the kept transfers, and the month's totals are the sums of the rows.";
  await report("Transfers", text, [
    ["seed", result.seed],
    ["transfers finished and compared", result.finished],
    ["of them deleted, expired at the end, kept", `${result.deleted}, ${result.expired}, ${result.kept}`],
    ["transfers cancelled in the middle", result.cancelled],
    ["files compared", result.files],
    ["total size", formatBytes(result.bytes)],
    ["unzip", unzipVersion ?? "not installed"],
    ["kills", result.kills],
    ["interrupted requests", result.interruptedRequests],
    ["acknowledged entries and parts checked", result.checked],
    ["devices that stopped", result.stoppedDevices],
    ["batches that came twice", result.repeatedBatches],
    ["files in damaged packs, sent again", result.damagedFiles],
    ["files that changed while they were sent", result.changedFiles],
    ["losses and other problems", result.problems.length],
  ]);
  for (const problem of result.problems) log(problem);
  return result.problems.length === 0;
}

async function lighthouse(): Promise<boolean> {
  const judged = await proveLighthouse(Number(values.count ?? "3"), log);
  const text =
    "Lighthouse scores of the built pages on the local system, as a phone on a slow line (Chromium slows the line and the " +
    "processor down): performance, accessibility, best practices, SEO. Required: 97, 100, 100 and 100 (SEO only for listed pages).";
  await report(
    "Lighthouse",
    text,
    judged.map(({ page, scores, minScores }) => [
      page,
      CATEGORIES.filter((category) => minScores[category] !== null)
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
    "The browsers part runs the main flow, previews, a folder and encrypted files in each browser engine, over " +
    "connections that are cut. [browsers.md](browsers.md) lists the limits of each engine.";
  const across = (figure: (proof: EngineProof) => string | number) => proofs.map(figure).join(" · ");
  const steps = new Set(proofs.flatMap(({ outcomes }) => outcomes.map(({ step }) => step)));
  const figureOf = ({ outcomes }: EngineProof, name: string) => outcomes.find(({ step }) => step === name)?.figure;
  await report("Browsers", text, [
    ["engine", across(({ version }) => version)],
    ...[...steps].map((step): [string, string] => [step, across((proof) => figureOf(proof, step) ?? "not reached")]),
    ["faults, including console errors", across(({ problems }) => problems.length)],
    ["duration", across(({ durationMs }) => `${(durationMs / SECOND_MS).toFixed(0)} s`)],
  ]);
  return proofs.every(({ problems }) => problems.length === 0);
}

function log(line: string): void {
  console.log(line);
}
