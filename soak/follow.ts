import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { MIB, SECOND_MS } from "#domain/units.ts";
import { Shell } from "#test/support/cli/program.ts";
import { createAccount } from "../bench/support/account.ts";
import { openBrowser } from "../bench/support/browser.ts";
import type { LocalServer } from "../scripts/local-server.ts";
import { Client, HttpError } from "./client.ts";
import type { SoakOptions } from "./in-tests.ts";
import { onServer } from "./on-server.ts";
import { PartsUpload } from "./parts-upload.ts";
import { report } from "./report.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { sha256 } from "./soaked-upload.ts";

const DEFAULT_MEGABYTES = 2048;
const SOONEST_KILL_MS = 2 * SECOND_MS;
const LATEST_KILL_MS = 8 * SECOND_MS;
/** How long a follower waits before it asks again. */
const AGAIN_MS = SECOND_MS;
/** A follower that has not ended this long after the upload has failed. */
const PATIENCE_MS = 300 * SECOND_MS;

/** Downloads a link while it uploads, through kills of the server. @returns the SHA-256 of what it has saved */
type Follow = (place: Place) => Promise<string>;

interface Place {
  server: LocalServer;
  downloadId: string;
  sizeBytes: number;
}

const FOLLOWERS: Record<string, Follow> = {
  curl: byCurl,
  aria2: byAria2,
  // Before the browser, which gives this process another folder for temporary files.
  "mayfly get": byCommandLine,
  Chromium: byChromium,
};

interface FollowProof {
  kills: number;
  /** How long after the upload's end each follower had the file, in milliseconds. */
  lagMs: Map<string, number>;
  problems: string[];
}

/** The part `follow` of the soak. `--count` is the size of the file in megabytes. */
export async function follow({ seed, count }: SoakOptions): Promise<boolean> {
  if (spawnSync("aria2c", ["--version"]).error) {
    console.error("This part downloads with aria2, too. Install it first, for example with: apt-get install aria2");
    return false;
  }
  const megabytes = Number(count ?? DEFAULT_MEGABYTES);
  const { kills, lagMs, problems } = await proveFollow(Number(seed), megabytes * MIB, console.log);
  const text =
    "A file is uploaded in parts while curl, aria2, a page in Chromium and the command line follow it, and the whole " +
    "local runtime is killed (SIGKILL) again and again and restarted on the same storage. Sender and followers go on " +
    "by themselves. Each follower must have exactly the sender's bytes, by SHA-256.";
  await report("Follow", text, [
    ["seed", Number(seed)],
    ["size of the file", `${megabytes} MB`],
    ["kills", kills],
    ...[...lagMs].map(([who, ms]): [string, string] => [
      `${who}: whole after the end`,
      `${(ms / SECOND_MS).toFixed(1)} s`,
    ]),
    ["problems", problems.length],
  ]);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

function proveFollow(seed: number, sizeBytes: number, log: (line: string) => void): Promise<FollowProof> {
  return onServer(log, async (server) => {
    const client = new Client(server.origin, await createAccount(server));
    await server.execute("update users set plan_type = 'ultimate'");
    const file = { name: `${seed}-follow.bin`, bytes: seededBytes(`${seed}-follow`, sizeBytes) };
    const expected = sha256(file.bytes);
    const upload = new PartsUpload(client, file, "presigned", false);
    const { downloadId } = await upload.begin();
    const result: FollowProof = { kills: 0, lagMs: new Map(), problems: [] };
    let endedAt = Infinity;
    const followers = Object.entries(FOLLOWERS).map(async ([who, by]) => {
      const end = await by({ server, downloadId, sizeBytes }).catch((error: unknown) => String(error));
      result.lagMs.set(who, Date.now() - endedAt);
      if (end !== expected) result.problems.push(`${who} ended with ${end}`);
      log(`${who} has the file ${Date.now() - endedAt} ms after the upload's end`);
    });
    const moments = new Seeded(`${seed}-follow-kills`);
    for (;;) {
      const sending = upload.run().then(
        () => true,
        (error: unknown) => error,
      );
      const sent = await Promise.race([
        sending,
        wait(moments.between(SOONEST_KILL_MS, LATEST_KILL_MS)).then(() => null),
      ]);
      if (sent === true) break;
      await server.kill();
      const end = await sending;
      // A refusal while the server lives is a problem; whatever the kill has cut off is none.
      if (sent !== null && end instanceof HttpError) result.problems.push(String(end));
      if (result.problems.length > 0) throw new Error(result.problems.join("\n"));
      await server.start();
      await upload.check();
      result.kills += 1;
      log(`kill ${result.kills}; ${upload.acknowledgedParts} parts are known again`);
      if (end === true) break;
    }
    endedAt = Date.now();
    await Promise.race([
      Promise.all(followers),
      wait(PATIENCE_MS, null, { ref: false }).then(() => Promise.reject(new Error("a follower did not end"))),
    ]);
    return result;
  });
}

function addressOf({ server, downloadId }: Place): string {
  return `${server.origin}/api/files/download/${downloadId}/content?follow=1`;
}

async function byCurl(place: Place): Promise<string> {
  const path = join(place.server.folder, "followed-by-curl.bin");
  const command = ["--silent", "--fail", "--speed-time", "30", "--continue-at", "-", "--output", path];
  await untilEnded(() => exitCodeOf("curl", [...command, addressOf(place)]));
  return sha256Of(path);
}

async function byAria2(place: Place): Promise<string> {
  const { folder } = place.server;
  const command = ["--quiet", "--continue", "--max-tries=1", "--dir", folder, "--out", "followed-by-aria2.bin"];
  await untilEnded(() => exitCodeOf("aria2c", [...command, addressOf(place)]));
  return sha256Of(join(folder, "followed-by-aria2.bin"));
}

async function byCommandLine({ server, downloadId }: Place): Promise<string> {
  const shell = new Shell({ MAYFLY_URL: server.origin });
  await untilEnded(
    async () => (await shell.run("get", `${server.origin}/download/${downloadId}`, "--out", "out")).code,
  );
  const [name = ""] = readdirSync(join(shell.work, "out"));
  return sha256Of(join(shell.work, "out", name));
}

/** A page reads the bytes as they come, resumes after each break, and hands them over in pieces. */
async function byChromium(place: Place): Promise<string> {
  const browser = await openBrowser(place.server.folder);
  const hash = createHash("sha256");
  try {
    const page = await browser.newPage();
    await page.exposeFunction("take", (piece: string) => {
      hash.update(piece, "base64");
    });
    const link = `${place.server.origin}/download/${place.downloadId}`;
    await untilEnded(() =>
      page.goto(link).then(
        () => 0,
        () => null,
      ),
    );
    await page.evaluate(readAll, { address: addressOf(place), sizeBytes: place.sizeBytes, againMs: AGAIN_MS });
    return hash.digest("hex");
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function readAll({ address, sizeBytes, againMs }: { address: string; sizeBytes: number; againMs: number }) {
  const { take } = window as unknown as { take(piece: string): Promise<void> };
  let at = 0;
  while (at < sizeBytes) {
    try {
      const response = await fetch(address, { headers: { range: `bytes=${at}-` } });
      if (response.status !== 206 || !response.body) throw new Error(`the server answered ${response.status}`);
      for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
        await take((bytes as unknown as { toBase64(): string }).toBase64());
        at += bytes.byteLength;
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

/** Runs a program again and again until it ends well. */
async function untilEnded(run: () => Promise<number | null>): Promise<void> {
  while ((await run()) !== 0) await wait(AGAIN_MS);
}

function exitCodeOf(program: string, options: string[]): Promise<number | null> {
  const ended = Promise.withResolvers<number | null>();
  spawn(program, options, { stdio: "ignore" }).once("error", ended.reject).once("exit", ended.resolve);
  return ended.promise;
}

async function sha256Of(path: string): Promise<string> {
  if (!existsSync(path)) return "nothing";
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
