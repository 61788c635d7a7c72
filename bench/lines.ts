import { parseArgs } from "node:util";
import { formatBytes, MIB, SECOND_MS } from "#domain/units.ts";
import { cpuOfTabs } from "./lines/cpu-of-tabs.ts";
import { figuresOf, type Figures } from "./lines/figures.ts";
import { followingRows } from "./lines/follow.ts";
import { withLines, type LinesBench } from "./lines/lines-bench.ts";
import { LINES, type LineShape } from "./lines/shapes.ts";
import { DOWN, UP, type Way } from "./lines/ways.ts";
import { align } from "./support/measure.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";

const DIRECTIONS: Record<"up" | "down", Record<string, Way>> = { up: UP, down: DOWN };
/** Every transfer that makes progress ends within this time. */
const PATIENCE_MS = 240 * SECOND_MS;

/** The name, beside those of lines, of deliveries to a reader who follows an upload. */
const FOLLOW = "follow";

const HEAD = [
  "line",
  "",
  "by",
  "seconds",
  "share",
  "first byte",
  "ready after",
  "again",
  "still",
  "CPU s/GB",
  "faults",
];

/**
 * `npm run bench -- lines`: the product and what people would use in its place, each over the same lines. `--only
 * home,bad` chooses lines, `--only follow` the deliveries to a reader who follows an upload, `--by mayfly,tus` chooses ways, `--direction up` chooses uploads, `--seed` gives faults
 * other moments, `--rounds` says how often to measure, `--browser PATH` names an installed Chromium, and `--http2`
 * speaks HTTP/2 to the store.
 */
export async function measureLines(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      by: { type: "string" },
      direction: { type: "string" },
      seed: { type: "string", default: "line" },
      browser: { type: "string" },
      rounds: { type: "string", default: "1" },
      http2: { type: "boolean", default: false },
    },
  });
  const shapes = LINES.map((shape) => [shape.name, shape] as const);
  const lines = chosenFrom<string, LineShape | null>(values.only, { ...Object.fromEntries(shapes), [FOLLOW]: null });
  const directions = chosenFrom(values.direction, DIRECTIONS);
  const programs = values.by?.split(",") ?? null;
  const rows: string[][] = [HEAD];
  const following: string[][] = [];
  await withLines({ program: values.browser ?? null, http2: values.http2 }, async (bench) => {
    for (const [name, shape] of lines) {
      if (shape === null) {
        following.push(...(await followingRows(bench, programs)));
        continue;
      }
      const file = await randomFile(bench.server.folder, shape.fileBytes);
      for (const [direction, ways] of directions) {
        const chosen = Object.entries(ways).filter(([by]) => programs?.includes(by) ?? true);
        for (let round = 0; round < Number(values.rounds); round += 1) {
          for (const [by, way] of chosen) {
            const row = [
              name,
              direction,
              by,
              ...(await cellsOf(bench, { shape, file, direction, way, seed: values.seed })),
            ];
            console.log(row.join("  "));
            rows.push(row);
          }
        }
      }
    }
  });
  for (const table of [rows, following]) if (table.length > 1) console.log(`\n${align(table)}`);
}

function chosenFrom<Name extends string, Item>(names: string | undefined, all: Record<Name, Item>): [Name, Item][] {
  const unknown = names?.split(",").find((name) => !(name in all));
  if (unknown !== undefined) throw new Error(`There is no "${unknown}": choose among ${Object.keys(all).join(", ")}.`);
  const entries = Object.entries(all) as [Name, Item][];
  return entries.filter(([name]) => names?.split(",").includes(name) ?? true);
}

interface Measured {
  shape: LineShape;
  file: RandomFile;
  direction: "up" | "down";
  way: Way;
  seed: string;
}

async function cellsOf(bench: LinesBench, measured: Measured): Promise<string[]> {
  const { shape, file, way } = measured;
  // The page is opened over a line without faults: the faults wait for the first byte of a body.
  await bench.line.begin({ ...shape, faults: [], rates: shape.rates.slice(0, 1) }, "");
  const prepared = await way(bench, file);
  try {
    return cells(await figures(bench, measured, prepared));
  } catch (error) {
    console.error(error);
    return ["did not finish"];
  } finally {
    await prepared.clear();
  }
}

async function figures(
  { line }: LinesBench,
  { shape, direction, seed }: Measured,
  { door, page, run }: Awaited<ReturnType<Way>>,
): Promise<Figures> {
  await line.begin(shape, seed);
  const readCpu = await cpuOfTabs(page);
  const seen = await Promise.race([run(), tooLong()]);
  const cpuSeconds = await readCpu();
  const log = await line.read();
  const carried = log.carried[door]?.[direction];
  if (!carried) throw new Error("the line has no such door");
  return figuresOf(shape, log, carried, { seen, cpuSeconds });
}

function tooLong(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => {
      reject(new Error(`no end after ${PATIENCE_MS} ms`));
    }, PATIENCE_MS).unref();
  });
}

function cells(figures: Figures): string[] {
  const { stillSeconds, restarts } = figures;
  return [
    figures.seconds.toFixed(1),
    figures.share.toFixed(3),
    `${figures.firstByteSeconds.toFixed(2)} s`,
    `${figures.readySeconds.toFixed(2)} s`,
    figures.againBytes < MIB / 4 ? "" : formatBytes(figures.againBytes),
    stillSeconds === null ? "" : `${stillSeconds.toFixed(1)} s${figures.wentBack ? ", back" : ""}`,
    figures.cpuSecondsPerGib.toFixed(1),
    `${figures.faults === 0 ? "" : figures.faults}${restarts === 0 ? "" : `, begun again ${restarts} times`}`,
  ];
}
