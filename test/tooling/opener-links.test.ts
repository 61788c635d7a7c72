// @module-tag long
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OPENER, OpenerWorld, PLAIN, RECORD, SIZE } from "#test/support/opener.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import type { SealedLink } from "#test/support/seal/sealed-uploads.ts";

const world = OpenerWorld.prepare();

it("goes on past a removed file, also one that is removed meanwhile, and ends with 5 when none is left [SEAL-13]", async () => {
  const files = ["a", "b", "c", "d"].map((name, seed) => ({ name, bytes: plainBytes(300, seed) }));
  const sent = await world.client.sendTransfer(files);
  await world.client.removeFile(sent, 1);
  expect((await world.openLink(sent.link, ["--list"])).out.split("\n")).toEqual([
    "    1    300 Bytes  2026-01-31  a",
    "    2    300 Bytes  removed     b",
    "    3    300 Bytes  2026-01-31  c",
    "    4    300 Bytes  2026-01-31  d",
    "",
  ]);
  world.line.faults = [{}, { before: () => world.client.removeFile(sent, 2) }];
  expect(await world.openLink(sent.link)).toEqual({
    code: 0,
    out: `${join(world.folder, "a")}\n${join(world.folder, "d")}\n`,
    error: "b was removed by the sender\nc was removed by the sender\n",
  });
  expect(readdirSync(world.folder)).toEqual(["a", "d"]);
  expect(world.line.ranges).toHaveLength(3);
  expect((await world.openLink(sent.link, ["--file", "2"])).code).toBe(5);
  rmSync(join(world.folder, "a"));
  world.line.faults = [{ before: () => removeAll(sent, 0, 3) }];
  expect((await world.openLink(sent.link)).code).toBe(5);
});

async function removeAll(sent: SealedLink, ...entries: number[]): Promise<void> {
  for (const n of entries) await world.client.removeFile(sent, n);
}

it("tells of files that the server holds and the sender's list does not name [SEAL-14]", async () => {
  const files = ["a", "hidden"].map((name) => ({ name, bytes: plainBytes(30) }));
  const { link } = await world.client.sendTransfer(files, { unlisted: 1 });
  const warning = "The server holds 1 file that the list does not name.\n";
  expect(await world.openLink(link, ["--list"])).toMatchObject({ code: 0, error: warning });
  expect(await world.openLink(link)).toMatchObject({ code: 0, error: warning });
  expect(readdirSync(world.folder)).toEqual(["a"]);
});

it("shows nothing of the server or the sender that a terminal would obey [SEAL-14]", async () => {
  const site = createServer((_, response) => {
    response.statusCode = 410;
    response.end(JSON.stringify({ code: "GONE", message: "\u001b]0;title\u0007Gone\u202e\u{e0041}\u200b" }));
  });
  site.listen(0);
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const { link } = await world.client.sendTransfer([{ name: "a\u200e\u200b\u061c.txt", bytes: plainBytes(3) }]);
  expect(await world.openHere(link.replace(world.server.origin, `http://localhost:${port}`))).toEqual({
    code: 5,
    out: "",
    error: " ]0;title Gone\n",
  });
  site.close();
  expect((await world.openLink(link, ["--list"])).out).toBe("    1      3 Bytes  2026-01-31  a.txt\n");
});

it("takes a password from standard input, in any Unicode form, and ends with 4 for a wrong one or none [SEAL-15]", async () => {
  const bytes = plainBytes(900, 9);
  const { link } = await world.client.sendLocked({ name: "locked.txt", bytes });
  expect(await world.openLink(link, ["--password-stdin"], "pa\u0308ssword\n")).toMatchObject({ code: 0 });
  expect(world.isSaved("locked.txt", bytes)).toBe(true);
  expect((await world.openLink(link, ["--password-stdin"], "password\n")).code).toBe(4);
  expect((await world.openLink(link, ["--password-stdin"], "")).code).toBe(4);
  expect((await world.openLink(link)).code).toBe(4);
});

it("asks for a password on a terminal, and shows nothing of it [SEAL-15]", async () => {
  const bytes = plainBytes(900, 9);
  const { link } = await world.client.sendLocked({ name: "typed.txt", bytes });
  const args = [process.execPath, OPENER, link, "--out", world.folder];
  const terminal = spawn("python3", [
    "test/support/seal/type_password.py",
    "wrong\u007f\u007f\u007f\u007f\u007fpässword",
    ...args,
  ]);
  const { code, out } = await world.endOf(terminal);
  expect(code).toBe(0);
  expect(out.startsWith("Password: \r\n")).toBe(true);
  expect(out.endsWith(`${join(world.folder, "typed.txt")}\r\n`)).toBe(true);
  expect(out).not.toMatch(/wrong|pässword/);
  expect(world.isSaved("typed.txt", bytes)).toBe(true);
});

it("takes one of a limited link's downloads, goes on with it after a kill, and is counted once [SEAL-15]", async () => {
  const bytes = plainBytes(SIZE, 10);
  const sent = await world.client.sendFile({ name: "limited.bin", bytes }, { maxDownloads: 1 });
  const { link, downloadId } = sent;
  world.line.faults = [{ stallAfter: 4 * RECORD + 1 }];
  const opener = world.start(link);
  await expect.poll(() => world.partSize(downloadId)).toBe(4 * PLAIN);
  opener.kill("SIGKILL");
  await once(opener, "exit");
  expect((await world.openLink(link)).code).toBe(0);
  expect(world.isSaved("limited.bin", bytes)).toBe(true);
  expect(readdirSync(world.folder)).toEqual(["limited.bin"]);
  await expect.poll(() => downloadsOf(sent)).toEqual([{ n: 1 }]);
  rmSync(join(world.folder, "limited.bin"));
  expect((await world.openLink(link)).code).toBe(5);
});

it("counts no download when all files are there already, and lets one process at a time save them [SEAL-15]", async () => {
  const sent = await world.client.sendFile({ name: "twice.bin", bytes: plainBytes(SIZE, 13) }, { maxDownloads: 3 });
  world.line.faults = [{ stallAfter: 2 * RECORD }];
  const first = world.start(sent.link);
  await expect.poll(() => world.partSize(sent.downloadId)).toBe(0);
  const second = await world.openLink(sent.link);
  expect(second).toMatchObject({
    code: 6,
    error: `Process ${first.pid} is saving this transfer into the same folder.\n`,
  });
  first.kill("SIGKILL");
  await once(first, "exit");
  expect((await world.openLink(sent.link)).code).toBe(0);
  await expect.poll(() => downloadsOf(sent)).toEqual([{ n: 1 }]);
  const again = await world.openLink(sent.link);
  expect(again).toMatchObject({ code: 0, out: `${join(world.folder, "twice.bin")} is there already\n` });
  expect(await downloadsOf(sent)).toEqual([{ n: 1 }]);
});

function downloadsOf({ downloadId }: SealedLink): Promise<{ n: number }[]> {
  return world.server.execute(`select downloads_used as n from files where download_id = '${downloadId}'`);
}

it("ends with 3 for a link whose key is cut or wrong, with 5 for one that leads nowhere, with 2 for no link [SEAL-14]", async () => {
  const { link } = await world.client.sendFile({ name: "a.txt", bytes: plainBytes(5) });
  const cut = await world.openLink(link.slice(0, -5));
  expect(cut.code).toBe(3);
  expect(cut.error).toContain("5 characters are missing");
  expect((await world.openLink(link.slice(0, -1))).error).toContain("1 character is missing");
  expect((await world.openLink(link.replace(/#.*/, ""))).code).toBe(3);
  expect((await world.openLink(link.replace(/#1./, (start) => (start === "#1A" ? "#1B" : "#1A")))).code).toBe(3);
  expect((await world.openLink(link.replace(/#1/, "#7"))).code).toBe(3);
  expect((await world.openLink(link.replace("#", "%23"))).code).toBe(0);
  expect((await world.openLink(link.replace(/download\/.{22}/, "download/AAAAAAAAAAAAAAAAAAAAAA"))).code).toBe(5);
  expect((await world.openLink("https://example.com/somewhere")).code).toBe(2);
  expect((await world.openLink(link, ["--unknown"])).code).toBe(2);
});

it("ends with 6 while the transfer is still arriving, and shows what is announced [SEAL-14]", async () => {
  const file = { name: "later.txt", bytes: plainBytes(5) };
  const { link } = await world.client.sendTransfer([file], { isUnfinished: true });
  expect((await world.openLink(link)).code).toBe(6);
  const list = await world.openLink(link, ["--list"]);
  expect(list.code).toBe(0);
  expect(list.out).toContain("later.txt\nThis transfer is still arriving");
});
