import { planParts, isMultipart } from "#domain/parts.ts";
import { GIB, MIB } from "#domain/units.ts";

/** Published prices in dollars, beyond what the paid plan includes (developers.cloudflare.com, each product's pricing page). */
const PRICES = {
  workerRequest: 0.3 / 1e6,
  workerCpuMs: 0.02 / 1e6,
  objectRequest: 0.15 / 1e6,
  rowRead: 0.001 / 1e6,
  rowWritten: 1 / 1e6,
  objectRowWritten: 1 / 1e6,
  classA: 4.5 / 1e6,
  classB: 0.36 / 1e6,
  storedGigabyteMonth: 0.015,
};

type Use = Partial<Record<keyof typeof PRICES, number>>;

const MONTH = { uploads: 1_000, downloads: 10_000, sizeBytes: 100 * MIB };
/** Files live for three days of a month of thirty. */
const MONTHS_STORED = 3 / 30;

/** Counted by hand from the statements, rounded up. A written row costs one for itself and one for each index that has it. */
const START: Use = {
  workerRequest: 1,
  objectRequest: 2,
  rowRead: 6,
  rowWritten: 18,
  objectRowWritten: 4,
  workerCpuMs: 5,
};
const COMPLETE: Use = {
  workerRequest: 1,
  objectRequest: 1,
  rowRead: 6,
  rowWritten: 12,
  objectRowWritten: 3,
  workerCpuMs: 5,
};
const DOWNLOAD: Use = { workerRequest: 1, rowRead: 2, rowWritten: 2, classB: 1, workerCpuMs: 4 };
const SWEEP: Use = { rowRead: 3, rowWritten: 5 };

function times(count: number, use: Use): Use {
  return Object.fromEntries(Object.entries(use).map(([name, amount]) => [name, amount * count]));
}

function sum(...uses: Use[]): Use {
  const total: Use = {};
  for (const use of uses) {
    for (const [name, amount] of Object.entries(use) as [keyof Use, number][])
      total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}

const { partCount } = planParts(MONTH.sizeBytes);
const assembly: Use = isMultipart(MONTH.sizeBytes) ? { classA: partCount + 2 } : { classA: 2, classB: 2 };

/** Each road's part of an upload between its start and its end. */
const ROADS: Record<string, Use> = {
  "presigned parts": { ...assembly, objectRequest: 1, objectRowWritten: partCount },
  "parts through the Worker": sum(assembly, {
    workerRequest: partCount,
    objectRequest: 2 * partCount,
    rowRead: 3 * partCount,
    objectRowWritten: partCount,
    workerCpuMs: 6 * partCount,
  }),
  "chunks of 256 KB": sum(assembly, {
    workerRequest: MONTH.sizeBytes / (256 * 1024),
    objectRequest: MONTH.sizeBytes / (256 * 1024),
    rowRead: 3 * (MONTH.sizeBytes / (256 * 1024)),
    objectRowWritten: 3 * (MONTH.sizeBytes / (256 * 1024)),
    workerCpuMs: 4 * (MONTH.sizeBytes / (256 * 1024)),
  }),
};

function dollars(use: Use): number {
  return (Object.entries(use) as [keyof Use, number][]).reduce((all, [name, amount]) => all + amount * PRICES[name], 0);
}

const stored: Use = { storedGigabyteMonth: (MONTH.uploads * MONTH.sizeBytes * MONTHS_STORED) / GIB };
for (const [road, use] of Object.entries(ROADS)) {
  const uploads = times(MONTH.uploads, sum(START, use, COMPLETE, SWEEP));
  const downloads = times(MONTH.downloads, DOWNLOAD);
  const figures = { uploads, downloads, storage: stored, all: sum(uploads, downloads, stored) };
  const said = Object.entries(figures).map(([what, used]) => `${what} $${dollars(used).toFixed(3)}`);
  console.log(`${road}: ${said.join(", ")}`);
}
