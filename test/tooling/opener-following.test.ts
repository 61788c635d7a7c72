// @module-tag long
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MIB, MINUTE_MS } from "#domain/units.ts";
import { Shell } from "#test/support/cli/program.ts";
import { OpenerWorld, PLAIN, RECORD } from "#test/support/opener.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";

const world = OpenerWorld.prepare();

/** Nine parts, the last of a MiB: each one is a segment. */
const BYTES = plainBytes(65 * MIB, 20);
const REST = [3, 4, 5, 6, 7, 8, 9];
const FILM = { name: "film.bin", bytes: BYTES };

/** Of two parts, the server keeps 64 KiB back. Four records are opened at once, so these are 60 of 64. */
const TWO_PARTS = 60 * PLAIN;

it("saves a file while it arrives, goes on behind a break, and counts it once [SEAL-41]", async () => {
  const film = await world.client.startFile(FILM, { maxDownloads: 1 });
  await film.send(1, 2);
  world.line.faults = [{ cutAfter: 5 * RECORD + 1000 }];
  const ended = world.openLink(film.link);
  // Five records before the break, and 56 of 59 behind it.
  await expect.poll(() => world.partSize(film.downloadId), { timeout: MINUTE_MS }).toBe(61 * PLAIN);
  expect(existsSync(join(world.folder, "film.bin"))).toBe(false);
  await film.send(...REST);
  await film.end();
  expect(await ended).toMatchObject({ code: 0, out: `${join(world.folder, "film.bin")}\n` });
  expect(world.isSaved("film.bin", BYTES)).toBe(true);
  expect(readdirSync(world.folder)).toEqual(["film.bin"]);
  expect(world.line.ranges).toEqual(["bytes=0-", `bytes=${5 * RECORD}-`]);
  rmSync(join(world.folder, "film.bin"));
  expect((await world.openLink(film.link)).code).toBe(5);
});

it("ends with 5 and keeps nothing when the sender cancels [SEAL-41]", async () => {
  const film = await world.client.startFile(FILM);
  await film.send(1, 2);
  const ended = world.openLink(film.link);
  await expect.poll(() => world.partSize(film.downloadId), { timeout: MINUTE_MS }).toBe(TWO_PARTS);
  await film.cancel();
  expect(await ended).toMatchObject({
    code: 5,
    out: "",
    error: expect.stringMatching(/The sender has cancelled the upload, or it has failed\.\n$/) as string,
  });
  expect(readdirSync(world.folder)).toEqual([]);
});

it("ends with 8 and keeps nothing of a file with another sum than that of the final list [SEAL-42]", async () => {
  const film = await world.client.startFile(FILM);
  await film.send(1, 2, ...REST);
  const ended = world.openLink(film.link);
  await expect.poll(() => world.partSize(film.downloadId), { timeout: MINUTE_MS }).toBeGreaterThan(60 * MIB);
  await film.end("ab".repeat(32));
  expect(await ended).toMatchObject({ code: 8, out: "" });
  expect(readdirSync(world.folder)).toEqual([]);
});

it("waits for a silent sender as long as it is told, and gives the file no name [SEAL-41]", async () => {
  const film = await world.client.startFile(FILM);
  await film.send(1, 2);
  expect(await world.openLink(film.link, ["--wait", "0"])).toMatchObject({ code: 6, out: "" });
  expect(await world.openLink(film.link, ["--wait", "soon"])).toMatchObject({ code: 2, out: "" });
  expect(world.line.ranges).toEqual([]);
  const silent =
    "waiting for the sender (23 %)\nThe sender has sent nothing for a minute. Run the same command again to go on.\n";
  expect(await world.openLink(film.link, ["--wait", "1"])).toMatchObject({
    code: 6,
    out: "",
    error: expect.stringContaining(silent) as string,
  });
  expect(readdirSync(world.folder)).toEqual([`.mayfly-${film.downloadId}`]);
  await film.send(...REST);
  await film.end();
  expect(await world.openLink(film.link)).toMatchObject({ code: 0 });
  expect(world.isSaved("film.bin", BYTES)).toBe(true);
  expect(world.line.ranges).toEqual(["bytes=0-", `bytes=${63 * RECORD}-`]);
});

it("is followed by mayfly get, too [SEAL-41]", async () => {
  const film = await world.client.startFile(FILM);
  await film.send(1, 2);
  const shell = new Shell();
  expect(await shell.run("get", film.link, "--out", "out", "--wait", "0")).toMatchObject({ code: 4, out: "" });
  const ended = shell.run("get", film.link, "--out", "out");
  const part = join(shell.work, "out", `.mayfly-${film.downloadId}`, "0-0");
  await expect.poll(() => existsSync(part), { timeout: MINUTE_MS }).toBe(true);
  await film.send(...REST);
  await film.end();
  expect(await ended).toMatchObject({ code: 0, out: "out/film.bin\n" });
  expect(readFileSync(join(shell.work, "out/film.bin")).equals(BYTES)).toBe(true);
  shell.remove();
});

it("ends with 5 when the sender's file has changed, and mayfly get with 8 [SEAL-41]", async () => {
  const film = await world.client.startFile(FILM);
  await film.send(1, 2);
  const shell = new Shell();
  const got = shell.run("get", film.link, "--out", "out");
  const part = join(shell.work, "out", `.mayfly-${film.downloadId}`, "0-0");
  await expect.poll(() => existsSync(part), { timeout: MINUTE_MS }).toBe(true);
  const opened = world.openLink(film.link);
  await expect.poll(() => world.partSize(film.downloadId), { timeout: MINUTE_MS }).toBe(TWO_PARTS);
  await film.change();
  const error = expect.stringContaining("The file has changed since the sender began. Ask for it again.\n") as string;
  expect(await opened).toMatchObject({ code: 5, out: "", error });
  expect(await got).toMatchObject({ code: 8, out: "", error });
  rmSync(shell.folder, { recursive: true });
});
