import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { StageSink } from "#app/features/download/sealed/sinks/stage-sink.ts";
import { removeStaged, tidyStage } from "#app/features/download/sealed/sinks/stage.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { MemoryFolder } from "./memory-folder.ts";

let folder: MemoryFolder;

beforeEach(() => {
  folder = new MemoryFolder();
  vi.stubGlobal("navigator", { storage: folder });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const handle = () => folder as unknown as FileSystemDirectoryHandle;

/** Stops after 100 of 200 bytes, as a closed page does. */
async function stageHalf(): Promise<void> {
  const sink = await StageSink.open("film", 200);
  sink.write(new Uint8Array(100).fill(7));
  await sink.abort(false);
}

async function startOf(): Promise<number> {
  return (await StageSink.open("film", 200)).start;
}

it("goes on where it stopped", async () => {
  await stageHalf();
  expect(await startOf()).toBe(100);
});

it("starts anew when the bytes are not there, whatever the note says", async () => {
  await stageHalf();
  folder.files.set("film", new Uint8Array(99));
  expect(await startOf()).toBe(0);
  await stageHalf();
  folder.files.delete("film");
  expect(await startOf()).toBe(0);
});

it("removes the note before the bytes, and nothing that another tab writes", async () => {
  await stageHalf();
  await removeStaged(handle(), "film");
  expect(folder.removed).toEqual(["film.note", "film"]);
  await stageHalf();
  folder.locked.add("film.note");
  await removeStaged(handle(), "film");
  expect([...folder.files.keys()]).toEqual(["film", "film.note"]);
});

it("keeps finished files for an hour, unfinished ones for 14 days, and no bytes without a note", async () => {
  const note = (bytes: number, at: number) => new TextEncoder().encode(JSON.stringify({ bytes, size: 200, at }));
  const now = 100 * DAY_MS;
  const stage = (key: string, bytes: number, at: number) => {
    folder.files.set(key, new Uint8Array(bytes)).set(`${key}.note`, note(bytes, at));
  };
  stage("old", 200, now - HOUR_MS - 1);
  stage("fresh", 200, now - HOUR_MS);
  stage("left", 100, now - 14 * DAY_MS - 1);
  stage("begun", 100, now - 14 * DAY_MS);
  folder.files.set("orphan", new Uint8Array(5));
  expect(await tidyStage(handle(), now)).toBe(true);
  expect([...folder.files.keys()]).toEqual(["fresh", "fresh.note", "begun", "begun.note"]);
  expect(await tidyStage(handle(), now + 15 * DAY_MS)).toBe(false);
  expect(folder.files.size).toBe(0);
});
