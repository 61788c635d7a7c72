import { parseArgs } from "node:util";
import { formatBytes, GIB, MIB, SECOND_MS } from "#domain/units.ts";
import { proveLives } from "./billing.ts";
import { proveDownloads } from "./downloads.ts";
import { proveKills } from "./kills.ts";
import { CATEGORIES, isGoodEnough, proveLighthouse } from "./lighthouse.ts";
import { growthOf, proveMemory } from "./memory.ts";
import { report } from "./report.ts";

/**
 * Proofs that take too long for every day. `npm run soak` runs all of them, `npm run soak -- kills` (or `memory`,
 * `downloads`, `billing`, `lighthouse`) one; `--count` sets the number of kills or lives, and `--seed` what they and the files are drawn
 * from. The outcome is written to docs/soak.md, and the exit code is 1 when something was lost or a bound was broken.
 */
const PROOFS = { kills, memory, downloads, billing, lighthouse };

/** The tab may grow by this much over the idle page, bytes. */
const GROWTH_LIMIT_BYTES = 300 * MIB;

/** How often curl is killed in one download. */
const CURL_KILLS = 8;

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" }, count: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in PROOFS));
if (unknown !== undefined) {
  console.error(`There is no proof "${unknown}": choose among ${Object.keys(PROOFS).join(", ")}.`);
  process.exit(1);
}
for (const [name, prove] of Object.entries(PROOFS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (!(await prove())) process.exitCode = 1;
}

async function kills(): Promise<boolean> {
  const result = await proveKills({
    ...{ seed: Number(values.seed), count: Number(values.count ?? "100") },
    ...{ uploadsPerRoad: 2, isPatient: false, log },
  });
  const text =
    "The whole local runtime is killed (SIGKILL) while two uploads are under way on every road: parts to presigned " +
    "URLs, parts through the Worker, chunks through the Worker. It starts again on the same storage, everything that " +
    "was acknowledged is asked for, the uploads go on, and each finished file is downloaded and compared by SHA-256. " +
    "An acknowledged part or chunk counts once for each kill that it had to outlive.";
  await report("Kills", text, [
    ["seed", result.seed],
    ["kills", result.kills],
    ["requests cut off", result.cutOff],
    ["acknowledged parts checked", result.checked.parts],
    ["acknowledged chunks checked", result.checked.chunks],
    ["uploads finished and compared", result.finished],
    ["their bytes", formatBytes(result.finishedBytes)],
    ["losses and other faults", result.problems.length],
  ]);
  return result.problems.length === 0;
}

async function memory(): Promise<boolean> {
  const result = await proveMemory(log);
  const { idle, most } = result;
  const text = `A tab uploads a sparse file. It may grow by ${formatBytes(GROWTH_LIMIT_BYTES)} over the idle page.`;
  await report("Memory", text, [
    ["file", formatBytes(result.fileBytes)],
    ["duration", `${(result.durationMs / SECOND_MS).toFixed(0)} s`],
    ["samples", result.samples],
    ["JavaScript heap, idle", formatBytes(idle.heapBytes)],
    ["JavaScript heap, at most", formatBytes(most.heapBytes)],
    ["tab's process, resident, idle", formatBytes(idle.residentBytes)],
    ["tab's process, resident, at most", formatBytes(most.residentBytes)],
    ["largest growth", formatBytes(growthOf(result))],
  ]);
  return growthOf(result) < GROWTH_LIMIT_BYTES;
}

async function downloads(): Promise<boolean> {
  const { seed, fileBytes, cutAtBytes, isWhole } = await proveDownloads({
    ...{ seed: Number(values.seed), fileBytes: GIB, kills: CURL_KILLS, log },
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
  const { ok, durationMs } = proveLives(count);
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

function log(line: string): void {
  console.log(line);
}
