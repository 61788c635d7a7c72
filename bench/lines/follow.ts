import { createHash } from "node:crypto";
import { planParts } from "#domain/parts.ts";
import { layOutSegments, objectSizes, planSegments } from "#domain/segments.ts";
import { MIB, SECOND_MS } from "#domain/units.ts";
import { CONNECTIONS_TO_A_HOST } from "#engine/concurrency.ts";
import { randomFile, type RandomFile } from "../support/random-file.ts";
import { DELIVERIES, type Delivery, type StoredPart } from "./deliveries.ts";
import type { Carried } from "./line-log.ts";
import type { LinesBench } from "./lines-bench.ts";
import { bytesPerSecond, capacityBytes } from "./plan.ts";
import { LINES, type LineShape } from "./shapes.ts";

const FILE_BYTES = 288 * MIB;

/** A sender's line, a reader's line of so many times its rate, and who is measured on both. */
interface Pair {
  line: string;
  readerTimes: number;
  by: readonly string[];
}

const PAIRS: readonly Pair[] = [
  { line: "home", readerTimes: 1, by: ["mayfly", "magic-wormhole", "tus", "one PUT"] },
  { line: "home", readerTimes: 2, by: ["mayfly"] },
  { line: "office", readerTimes: 1, by: ["mayfly", "magic-wormhole", "tus", "one PUT"] },
];

const HEAD = [
  "line",
  "reader",
  "by",
  "sent after",
  "there after",
  "lag behind the last byte",
  "most",
  "formula",
  "ratio",
  "lag of an ideal reader",
  "lag behind ready",
  "first byte after the first part",
  "reader's share",
];

/**
 * A sender's file on its way to a reader with a line of its own. The product's reader follows the upload, magic-wormhole
 * leads the bytes through a relay, and with the others the reader begins when the sender has ended. Checks the SHA-256
 * of what the reader has.
 * @param by the names of those to measure; null for all
 * @returns the table's lines
 */
export async function followingRows(bench: LinesBench, by: readonly string[] | null): Promise<string[][]> {
  const file = await randomFile(bench.server.folder, FILE_BYTES);
  const rows: string[][] = [HEAD];
  for (const pair of PAIRS) {
    for (const name of pair.by.filter((each) => by?.includes(each) ?? true)) {
      const row = [pair.line, `x ${pair.readerTimes}`, name, ...(await cellsOf(bench, file, pair, name))];
      console.log(row.join("  "));
      rows.push(row);
    }
  }
  return rows;
}

async function cellsOf(bench: LinesBench, file: RandomFile, pair: Pair, name: string): Promise<string[]> {
  const sender = LINES.find((shape) => shape.name === pair.line);
  const deliver = DELIVERIES[name];
  if (!sender || !deliver) throw new Error(`there is no "${pair.line}" or no "${name}"`);
  const reader = { ...sender, rates: sender.rates.map((rate) => faster(rate, pair.readerTimes)) };
  const begin = async () => {
    await bench.line.begin(sender, "");
    await bench.readerLine.begin(reader, "");
  };
  await begin();
  const { door, run, clear } = await deliver(bench, file);
  try {
    await begin();
    const delivery = await run();
    if (delivery.reading.sha256 !== createHash("sha256").update(file.bytes).digest("hex"))
      throw new Error("the reader has other bytes");
    const sent = (await bench.line.read()).carried[door]?.up;
    const received = Object.values((await bench.readerLine.read()).carried).map(({ down }) => down);
    if (!sent) throw new Error("the line has no such door");
    return cells(delivery, { sender, reader, sent, received });
  } catch (error) {
    console.error(error);
    return ["did not finish"];
  } finally {
    await clear();
  }
}

function faster({ fromMs, megabits }: LineShape["rates"][number], times: number): LineShape["rates"][number] {
  return { fromMs, megabits: times * megabits };
}

interface Lines {
  sender: LineShape;
  reader: LineShape;
  sent: Carried;
  /** What came through each door of the reader's line. */
  received: Carried[];
}

function cells({ chosenAt, stored, sentAt, reading }: Delivery, { sender, reader, sent, received }: Lines): string[] {
  const seconds = (from: number | null, to: number | null) =>
    from === null || to === null ? "" : `${((to - from) / SECOND_MS).toFixed(2)} s`;
  const lag = sent.lastAt === null ? NaN : (reading.endAt - sent.lastAt) / SECOND_MS;
  const { formula, most } = expectedLag(sender, reader);
  const came = received.toSorted((a, b) => b.bodyBytes - a.bodyBytes)[0];
  const firstStoredAt = stored.find(({ segment }) => segment === 0)?.at ?? null;
  const waited = reading.refusals === 0 ? "" : `, told ${reading.refusals} times to come again`;
  return [
    seconds(chosenAt, sentAt),
    seconds(chosenAt, reading.endAt),
    `${lag.toFixed(2)} s`,
    ...(stored.length === 0
      ? ["", "", ""]
      : [`${most.toFixed(2)} s`, `${formula.toFixed(2)} s`, (lag / formula).toFixed(2)]),
    seconds(sent.lastAt, idealEnd(reader, stored)),
    seconds(sentAt, reading.endAt),
    seconds(firstStoredAt, reading.firstAt) + waited,
    came && came.bodyBytes >= FILE_BYTES ? shareOf(reader, came).toFixed(3) : "",
  ];
}

/**
 * @returns when a reader would have the file who reads each segment as soon as its parts are stored, and loses no time;
 *   null for a file without segments
 */
function idealEnd(reader: LineShape, stored: readonly StoredPart[]): number | null {
  if (stored.length === 0) return null;
  const sizes = objectSizes(layOutSegments(FILE_BYTES, planParts(FILE_BYTES)));
  return sizes.reduce((at, bytes, segment) => {
    const storedAt = Math.max(...stored.filter((part) => part.segment === segment).map((part) => part.at));
    return Math.max(at, storedAt) + (bytes / bytesPerSecond(megabitsOf(reader))) * SECOND_MS;
  }, 0);
}

function megabitsOf({ rates }: LineShape): number {
  return rates[0]?.megabits ?? NaN;
}

/** @returns the share of what the reader's line could have carried from its first byte to its last */
function shareOf(reader: LineShape, { firstAt, lastAt }: Carried): number {
  return FILE_BYTES / capacityBytes(reader, [], 0, (lastAt ?? NaN) - (firstAt ?? NaN));
}

/**
 * How far a reader may lag behind the sender's last byte, in seconds. On equal lines it waits for the largest segment,
 * and begins when the first of the parts in flight is stored: `(S + (C - 1) / 2) * P / rate`, with S the parts of the
 * largest segment, C the parts in flight and P the bytes of a part. The most is 2 s and a quarter of it more. A faster
 * reader keeps up with the sender, and has the last three and a half parts to read.
 */
function expectedLag(sender: LineShape, reader: LineShape): { formula: number; most: number } {
  const { partSizeBytes, partCount } = planParts(FILE_BYTES);
  const largest = Math.max(...planSegments(partCount));
  const secondsOfPart = (shape: LineShape) => partSizeBytes / bytesPerSecond(megabitsOf(shape));
  const formula = (largest + (CONNECTIONS_TO_A_HOST - 1) / 2) * secondsOfPart(sender);
  const isFaster = secondsOfPart(reader) < secondsOfPart(sender);
  return { formula, most: 2 + (isFaster ? 3.5 * secondsOfPart(reader) : 1.25 * formula) };
}
