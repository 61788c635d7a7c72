import { describe, expect, it } from "vitest";
import {
  addReport,
  newsOf,
  waitsUntil,
  type DownloadReport,
  type FollowedDownload,
} from "#domain/feed/followed-downloads.ts";
import type { DownloadNews } from "#domain/wire.ts";

/** Epoch milliseconds. */
const BEGIN = 1_000_000;

interface Change extends Partial<Omit<DownloadReport, "news">> {
  state: DownloadNews["state"];
  /** Seconds after `BEGIN`. */
  from?: number;
  to?: number;
}

function report({ state, from = 0, to, ...more }: Change): DownloadReport {
  const news: DownloadNews = {
    type: "download",
    id: "a reader's",
    transferId: "transfer",
    bytes: 100,
    state,
    startedAt: BEGIN + from * 1000,
    ...(to !== undefined && { endedAt: BEGIN + to * 1000 }),
  };
  return { response: "1", isPart: false, isOneOfMany: false, reachesEnd: true, ...more, news };
}

function lineOf(...changes: Change[]): FollowedDownload {
  const [first, ...others] = changes.map(report);
  if (!first) throw new Error("a line has a report");
  return others.reduce<FollowedDownload>((line, next) => addReport(line, next), addReport(undefined, first));
}

/** @param second after `BEGIN` */
function seen(line: FollowedDownload, second: number) {
  const { state, startedAt, endedAt } = newsOf(line, BEGIN + second * 1000);
  const secondOf = (at: number) => (at - BEGIN) / 1000;
  return [state, secondOf(startedAt), ...(endedAt === undefined ? [] : [secondOf(endedAt)])];
}

const PART = { isPart: true, reachesEnd: false };

describe("the line of a reader and a file", () => {
  it("runs until its response ends", () => {
    expect(seen(lineOf({ state: "running" }), 9000)).toEqual(["running", 0]);
    expect(seen(lineOf({ state: "running" }, { state: "done", to: 180 }), 180)).toEqual(["done", 0, 180]);
    expect(seen(lineOf({ state: "running" }, { state: "broken", to: 5 }), 5)).toEqual(["broken", 0, 5]);
  });

  it("is complete when only the end is told", () => {
    expect(seen(lineOf({ state: "done", to: 1 }), 1)).toEqual(["done", 0, 1]);
  });

  it("goes on while one part follows another, and is done with the last byte", () => {
    const first = { ...PART, state: "done", to: 10 } as const;
    expect(seen(lineOf(first), 39)).toEqual(["running", 0]);
    const second = { isPart: true, response: "2", state: "done", from: 39, to: 50 } as const;
    expect(seen(lineOf(first, second), 50)).toEqual(["done", 0, 50]);
  });

  it("broke off when no part has followed for thirty seconds", () => {
    const line = lineOf({ ...PART, state: "done", to: 10 });
    expect(waitsUntil(line)).toBe(BEGIN + 40_000);
    expect(seen(line, 40)).toEqual(["broken", 0, 10]);
  });

  it("is another download when the next part comes later", () => {
    const line = lineOf({ ...PART, state: "done", to: 10 }, { ...PART, response: "2", state: "running", from: 41 });
    expect(seen(line, 42)).toEqual(["running", 41]);
  });

  it("runs on when its reader jumps to another place", () => {
    const jump = { isPart: true, response: "1", state: "broken", to: 3 } as const;
    expect(seen(lineOf(jump), 4)).toEqual(["running", 0]);
    expect(seen(lineOf(jump, { ...PART, response: "2", state: "running", from: 4 }), 60)).toEqual(["running", 0]);
  });

  it("of parts at the same time is done when the last of them ends", () => {
    const both = [
      { ...PART, state: "running" },
      { isPart: true, response: "2", state: "running" },
      { isPart: true, response: "2", state: "done", to: 4 },
    ] as const;
    expect(seen(lineOf(...both), 4)).toEqual(["running", 0]);
    expect(seen(lineOf(...both, { ...PART, state: "done", to: 6 }), 6)).toEqual(["done", 0, 6]);
  });

  it("of an encrypted transfer is done when no file has followed for thirty seconds", () => {
    const line = lineOf({ isOneOfMany: true, state: "done", to: 2 });
    expect(seen(line, 31)).toEqual(["running", 0]);
    expect(seen(line, 32)).toEqual(["done", 0, 2]);
  });
});
