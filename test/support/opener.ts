import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { isEqual } from "#domain/seal/keys.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";
import { openBadLine, type BadLine } from "./seal/bad-line.ts";
import { SealingClient } from "./seal/sealed-uploads.ts";

/** The program that opens encrypted links without a browser, as the build makes it. */
export const OPENER = "build/client/mayfly-open.mjs";
/** Bytes of a record in storage, and of the file in it. */
export const RECORD = 262_144;
export const PLAIN = 262_116;
/** Twelve records, the last one short. */
export const SIZE = 11 * PLAIN + 4321;

interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** A server, a sender, and the opener with a folder of its own for each test, behind a line with faults. */
export class OpenerWorld {
  server!: LocalServer;
  client!: SealingClient;
  line!: BadLine;
  folder = "";

  /** Registers what starts and stops it. Call it at the top of a file of tests. */
  static prepare(): OpenerWorld {
    const world = new OpenerWorld();
    beforeAll(async () => {
      world.server = await prepareServer();
      await world.server.start();
      world.client = await SealingClient.signUp(world.server.origin);
    }, 240_000);
    afterAll(() => world.server.stop());
    beforeEach(async () => {
      world.line = await openBadLine(world.server.origin);
      world.folder = mkdtempSync(join(tmpdir(), "opener-"));
      return async () => {
        await world.line.close();
        rmSync(world.folder, { recursive: true });
      };
    });
    return world;
  }

  start(link: string, ...args: string[]): ChildProcessWithoutNullStreams {
    const address = link.replace(this.server.origin, this.line.origin);
    return spawn(process.execPath, [OPENER, address, "--out", this.folder, ...args]);
  }

  async openLink(link: string, args: string[] = [], input = ""): Promise<Ended> {
    const opener = this.start(link, ...args);
    opener.stdin.end(input);
    return this.endOf(opener);
  }

  /** In the folder, without --out and without the line. */
  openHere(link: string, ...args: string[]): Promise<Ended> {
    return this.endOf(spawn(process.execPath, [resolve(OPENER), link, ...args], { cwd: this.folder }));
  }

  async endOf(program: ChildProcessWithoutNullStreams): Promise<Ended> {
    const [[code], out, error] = await Promise.all([
      once(program, "exit") as Promise<[number | null]>,
      text(program.stdout),
      text(program.stderr),
    ]);
    return { code, out, error };
  }

  saved(name: string): Uint8Array {
    return new Uint8Array(readFileSync(join(this.folder, name)));
  }

  isSaved(name: string, bytes: Uint8Array): boolean {
    return isEqual(this.saved(name), bytes);
  }

  /** Of a single file that is not finished. */
  partPath(downloadId: string): string {
    return join(this.folder, `.mayfly-${downloadId}`, "0-0");
  }

  /** @returns -1 without one */
  partSize(downloadId: string): number {
    return statSync(this.partPath(downloadId), { throwIfNoEntry: false })?.size ?? -1;
  }
}
