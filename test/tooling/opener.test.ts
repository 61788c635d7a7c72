// @module-tag long
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OPENER, OpenerWorld, PLAIN, RECORD, SIZE } from "#test/support/opener.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";

const world = OpenerWorld.prepare();

it("saves a single file under its own name and date, and leaves it alone the next time [SEAL-12]", async () => {
  const bytes = plainBytes(SIZE);
  const { link } = await world.client.sendFile({ name: "Größe.bin", bytes });
  expect(await world.openLink(link)).toMatchObject({ code: 0, out: `${join(world.folder, "Größe.bin")}\n` });
  expect(world.isSaved("Größe.bin", bytes)).toBe(true);
  expect(statSync(join(world.folder, "Größe.bin")).mtimeMs).toBe(Date.UTC(2026, 0, 31, 12));
  expect(await world.openLink(link)).toMatchObject({
    code: 0,
    out: `${join(world.folder, "Größe.bin")} is there already\n`,
  });
  expect(readdirSync(world.folder)).toEqual(["Größe.bin"]);
  expect(world.line.ranges).toEqual(["bytes=0-"]);
});

it("lists a transfer, saves all its files in their folders, and single ones by number [SEAL-12]", async () => {
  const files = [
    { name: "a/one.txt", bytes: plainBytes(700) },
    { name: "a/b/two.bin", bytes: plainBytes(PLAIN + 1, 2) },
    { name: "empty.txt", bytes: new Uint8Array() },
    { name: "folder/", bytes: new Uint8Array() },
  ];
  const { link } = await world.client.sendTransfer(files, { title: "Holiday" });
  const list = await world.openLink(link, ["--list"]);
  expect(list).toMatchObject({ code: 0, error: "" });
  expect(list.out.split("\n")).toEqual([
    "Holiday",
    "    1    700 Bytes  2026-01-31  a/one.txt",
    "    2    255.97 KB  2026-01-31  a/b/two.bin",
    "    3      0 Bytes  2026-01-31  empty.txt",
    "    4      0 Bytes  2026-01-31  folder/",
    "",
  ]);
  expect(readdirSync(world.folder)).toEqual([]);
  expect((await world.openLink(link, ["--file", "2"])).code).toBe(0);
  expect(readdirSync(world.folder, { recursive: true }).sort()).toEqual(["a", "a/b", "a/b/two.bin"]);
  expect((await world.openLink(link)).code).toBe(0);
  for (const { name, bytes } of files.slice(0, 3)) expect(world.isSaved(name, bytes)).toBe(true);
  expect(statSync(join(world.folder, "folder")).isDirectory()).toBe(true);
  expect(await world.openLink(link, ["--file", "5"])).toMatchObject({
    code: 2,
    error: "There is no file 5: the list ends at 4.\n",
  });
});

it("goes on after it was killed, from the last whole record [SEAL-13]", async () => {
  const bytes = plainBytes(SIZE, 3);
  const { link, downloadId } = await world.client.sendFile({ name: "killed.bin", bytes });
  world.line.faults = [{ stallAfter: 8 * RECORD + 1000 }];
  const opener = world.start(link);
  await expect.poll(() => world.partSize(downloadId)).toBe(8 * PLAIN);
  opener.kill("SIGKILL");
  await once(opener, "exit");
  writeFileSync(world.partPath(downloadId), "half a record", { flag: "a" });
  expect(await world.openLink(link)).toMatchObject({ code: 0 });
  expect(world.isSaved("killed.bin", bytes)).toBe(true);
  expect(world.line.ranges).toEqual(["bytes=0-", `bytes=${8 * RECORD}-`]);
  expect(readdirSync(world.folder)).toEqual(["killed.bin"]);
});

it("starts anew when the unfinished file was changed [SEAL-13]", async () => {
  const bytes = plainBytes(SIZE, 4);
  const { link, downloadId } = await world.client.sendFile({ name: "other.bin", bytes });
  mkdirSync(join(world.folder, `.mayfly-${downloadId}`));
  writeFileSync(world.partPath(downloadId), plainBytes(5 * PLAIN, 99));
  expect(await world.openLink(link)).toMatchObject({ code: 0 });
  expect(world.isSaved("other.bin", bytes)).toBe(true);
  expect(world.line.ranges).toEqual([`bytes=${5 * RECORD}-`, "bytes=0-"]);
});

it("asks for the rest of a shortened answer, and gives up with 7 after four that brought nothing [SEAL-13]", async () => {
  const bytes = plainBytes(SIZE, 5);
  const { link, downloadId } = await world.client.sendFile({ name: "cut.bin", bytes });
  world.line.faults = [{ cutAfter: 3 * RECORD + 10 }, { cutAfter: 5 }, { cutAfter: RECORD }];
  expect(await world.openLink(link)).toMatchObject({ code: 0 });
  expect(world.isSaved("cut.bin", bytes)).toBe(true);
  const [third, fourth] = [3 * RECORD, 4 * RECORD];
  expect(world.line.ranges).toEqual(["bytes=0-", `bytes=${third}-`, `bytes=${third}-`, `bytes=${fourth}-`]);
  rmSync(join(world.folder, "cut.bin"));
  world.line.faults = Array.from({ length: 4 }, () => ({ cutAfter: 100 }));
  expect(await world.openLink(link)).toMatchObject({ code: 7 });
  expect(readdirSync(world.folder)).toEqual([`.mayfly-${downloadId}`]);
  expect(world.partSize(downloadId)).toBe(0);
});

it("ends with 8 and keeps nothing of a file when one bit is not the sender's [SEAL-14]", async () => {
  const { link } = await world.client.sendFile({ name: "damaged.bin", bytes: plainBytes(SIZE, 6) });
  for (const flipAt of [0, 5 * RECORD + 77, 11 * RECORD + 4321 + 27]) {
    world.line.faults = [{ flipAt }];
    const ended = await world.openLink(link);
    expect(ended).toMatchObject({ code: 8, error: "Part of this file is not what the sender encrypted.\n" });
    expect(readdirSync(world.folder)).toEqual([]);
  }
});

it("never overwrites what has the file's name: another file, or a symbolic link, even one to nothing [SEAL-12]", async () => {
  const bytes = plainBytes(500, 7);
  const { link } = await world.client.sendFile({ name: "mine.txt", bytes });
  writeFileSync(join(world.folder, "mine.txt"), "mine");
  symlinkSync("nothing", join(world.folder, "mine (1).txt"));
  expect((await world.openLink(link)).code).toBe(0);
  expect(readFileSync(join(world.folder, "mine.txt"), "utf8")).toBe("mine");
  expect(world.isSaved("mine (2).txt", bytes)).toBe(true);
});

it("leaves .part files alone, those of other programs and those of the transfer [SEAL-12]", async () => {
  const files = [
    { name: "a.part", bytes: plainBytes(70, 11) },
    { name: "a", bytes: plainBytes(80, 12) },
  ];
  const { link } = await world.client.sendTransfer(files);
  writeFileSync(join(world.folder, "b.part"), "of another program");
  expect((await world.openLink(link)).code).toBe(0);
  for (const { name, bytes } of files) expect(world.isSaved(name, bytes)).toBe(true);
  expect(readdirSync(world.folder).sort()).toEqual(["a", "a.part", "b.part"]);
  expect(readFileSync(join(world.folder, "b.part"), "utf8")).toBe("of another program");
});

it("writes through no symbolic link, neither of a folder nor of an unfinished file [SEAL-12]", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
  const victim = join(elsewhere, "victim");
  writeFileSync(victim, "untouched");
  const files = [{ name: "sub/x.txt", bytes: plainBytes(60) }];
  const { link, downloadId } = await world.client.sendTransfer(files);
  symlinkSync(elsewhere, join(world.folder, "sub"));
  const ended = await world.openLink(link);
  expect(ended).toMatchObject({ code: 1, error: `"${join(world.folder, "sub")}" is not a folder.\n` });
  rmSync(join(world.folder, "sub"));
  mkdirSync(join(world.folder, `.mayfly-${downloadId}`));
  symlinkSync(victim, world.partPath(downloadId));
  expect((await world.openLink(link)).code).toBe(1);
  rmSync(join(world.folder, `.mayfly-${downloadId}`), { recursive: true });
  symlinkSync(elsewhere, join(world.folder, `.mayfly-${downloadId}`));
  expect((await world.openLink(link)).code).toBe(1);
  expect(readdirSync(elsewhere)).toEqual(["victim"]);
  expect(readFileSync(victim, "utf8")).toBe("untouched");
  rmSync(elsewhere, { recursive: true });
});

it("saves names with a dot at their start only into a folder that was chosen [SEAL-12]", async () => {
  const files = ["a.txt", ".config/b"].map((name) => ({ name, bytes: plainBytes(7) }));
  const { link } = await world.client.sendTransfer(files);
  const refused = await world.openHere(link);
  expect(refused.code).toBe(2);
  expect(refused.error).toContain('".config/b" begins with a dot');
  expect(readdirSync(world.folder)).toEqual([]);
  expect((await world.openHere(link, "--file", "1")).code).toBe(0);
  expect((await world.openHere(link, "--out", ".")).code).toBe(0);
  expect(world.isSaved(".config/b", plainBytes(7))).toBe(true);
  const own = await world.client.sendFile({ name: ".Mayfly-x", bytes: plainBytes(5) });
  expect((await world.openLink(own.link)).code).toBe(8);
});

it("is served as a download, which no page can load as a script [SEAL-16]", async () => {
  const answer = await fetch(`${world.server.origin}/mayfly-open.mjs`);
  expect(await answer.text()).toBe(readFileSync(OPENER, "utf8"));
  expect(answer.headers.get("content-disposition")).toBe("attachment");
  expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
});
