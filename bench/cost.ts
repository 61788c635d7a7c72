import { chunkSizeFor, DEFAULT_CHUNK_BYTES, planParts, SERVER_PART_BYTES } from "#domain/parts.ts";
import { planSegments } from "#domain/segments.ts";
import { DAY_MS, GIB, HOUR_MS, MIB, MINUTE_MS } from "#domain/units.ts";
import { chunks, CPU_MS, FORGETTING, MANY_FILES, STEPS, type Use } from "./cost-figures.ts";

/** Prices in dollars beyond what the paid plan includes (developers.cloudflare.com, pricing page of each product). */
const PRICES: Required<Use> = {
  workerRequest: 0.3 / 1e6,
  workerCpuMs: 0.02 / 1e6,
  rowRead: 0.001 / 1e6,
  rowWritten: 1 / 1e6,
  objectRequest: 0.15 / 1e6,
  objectRowRead: 0.001 / 1e6,
  objectRowWritten: 1 / 1e6,
  classA: 4.5 / 1e6,
  classB: 0.36 / 1e6,
  queueOperation: 0.4 / 1e6,
  storedGigabyteMonth: 0.015,
  logLine: 0.6 / 1e6,
  objectGigabyteSecond: 12.5 / 1e6,
};

const MONTH_DAYS = 30;
const MONTH_MS = MONTH_DAYS * DAY_MS;
const MONTH = { uploads: 1_000, downloads: 10_000, sizeBytes: 100 * MIB };
const MONTHS_STORED = 3 / MONTH_DAYS;

function times(count: number, use: Use): Use {
  return Object.fromEntries(Object.entries(use).map(([name, amount]: [string, number]) => [name, amount * count]));
}

function sum(...uses: Use[]): Use {
  const total: Use = {};
  for (const use of uses) {
    for (const [name, amount] of Object.entries(use) as [keyof Use, number][])
      total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}

const cpu = (step: keyof typeof CPU_MS): Use => ({ workerCpuMs: CPU_MS[step] });

const { partCount } = planParts(MONTH.sizeBytes);
const moreSegments = planSegments(partCount).length - 1;
const START = sum(STEPS.start, cpu("start"), STEPS.socket, cpu("socket"));
const END = sum(STEPS.complete, cpu("complete"), FORGETTING.upload, STEPS.sweep);

function inChunks(chunkBytes: number): Use {
  const count = MONTH.sizeBytes / chunkBytes;
  const sent = sum(chunks(count, SERVER_PART_BYTES / chunkBytes), times(count, cpu("chunk")));
  // The hash reads each segment.
  const hash = sum(STEPS.hash, { classB: moreSegments });
  return sum(STEPS.startOfChunks, cpu("start"), sent, times(moreSegments, STEPS.segment), END, hash);
}

const TRANSPORTS: Record<string, Use> = {
  "presigned parts": sum(START, times(partCount, STEPS.presignedPart), times(moreSegments, STEPS.segment), END),
  "parts through the Worker": sum(
    START,
    times(partCount, sum(STEPS.proxiedPart, cpu("proxiedPart"))),
    times(moreSegments, STEPS.segment),
    END,
  ),
  [`chunks of ${chunkSizeFor(MONTH.sizeBytes) / MIB} MB`]: inChunks(chunkSizeFor(MONTH.sizeBytes)),
  "chunks of 256 KB": inChunks(DEFAULT_CHUNK_BYTES),
};

function dollars(use: Use): number {
  return (Object.entries(use) as [keyof Use, number][]).reduce((all, [name, amount]) => all + amount * PRICES[name], 0);
}

const page = sum(STEPS.downloadPage, cpu("downloadPage"));
const downloads = sum(
  times(MONTH.downloads, sum(page, cpu("download"), FORGETTING.download, { classB: moreSegments })),
  times(MONTH.uploads, STEPS.download),
  times(MONTH.downloads - MONTH.uploads, STEPS.downloadAgain),
);
const cronRuns = times(MONTH_MS / MINUTE_MS, sum(STEPS.cron, cpu("cron")));
const keptRuns = times(MONTH_MS / MINUTE_MS / 3, sum(STEPS.keptRun, STEPS.forgottenRun));
const cron = sum(cronRuns, keptRuns, times(MONTH_DAYS, STEPS.leftovers));
const storage: Use = { storedGigabyteMonth: (MONTH.uploads * MONTH.sizeBytes * MONTHS_STORED) / GIB };
for (const [transport, use] of Object.entries(TRANSPORTS)) {
  const uploads = times(MONTH.uploads, use);
  const figures = { uploads, downloads, storage, cron, all: sum(uploads, downloads, storage, cron) };
  const figureTexts = Object.entries(figures).map(([what, used]) => `${what} $${dollars(used).toFixed(3)}`);
  console.log(`${transport}: ${figureTexts.join(", ")}`);
}

/** 10,000 files of 100 KB, from the start to the sweep, without storage. The packs' PUTs pass none of our code. */
const puts: Use = { classA: MANY_FILES.packs };
const manyFiles = {
  "behind one link": sum(MANY_FILES.sent, puts, MANY_FILES.sweep, FORGETTING.upload),
  "one by one": times(MANY_FILES.files, sum(START, STEPS.presignedPart, END)),
};
for (const [how, use] of Object.entries(manyFiles)) {
  console.log(`${MANY_FILES.files} files of 100 KB ${how}: $${dollars(use).toFixed(4)}`);
}

/** The cost of a thousand of each. A page that listens for an hour hears of a download twice a minute. */
const TOLD: Record<string, Use> = {
  "transfers of a file through a request": sum(STEPS.startSending, cpu("start"), STEPS.finishSending, cpu("complete")),
  "notices, of which a mail is made": STEPS.noticeMail,
  "deliveries to webhooks": STEPS.webhookDelivery,
  "links mailed to an address": sum(STEPS.mailLink, cpu("complete")),
  "pages that listen for an hour": sum(STEPS.listen, cpu("socket"), times(HOUR_MS / (MINUTE_MS / 2), STEPS.hear)),
};
for (const [what, use] of Object.entries(TOLD)) console.log(`1,000 ${what}: $${dollars(times(1000, use)).toFixed(4)}`);

/** What the figures above leave out. A Durable Object has 128 MB, and is awake while a request of tus sends. */
const CHORES = 14;
const TUS_SECONDS = (MONTH.sizeBytes * 8) / 10e6;
const BESIDE: Record<string, Use> = {
  "a month of a monitor that asks each minute": times(MONTH_MS / MINUTE_MS, STEPS.health),
  "a month of the cron's lines in Workers Logs": { logLine: (CHORES * MONTH_MS) / MINUTE_MS },
  "1,000 uploads of 100 MB with tus, or with somebody who follows, at 10 Mbit/s, awake": {
    objectGigabyteSecond: 1000 * TUS_SECONDS * 0.128,
  },
};
for (const [what, use] of Object.entries(BESIDE)) console.log(`${what}: $${dollars(use).toFixed(3)}`);
