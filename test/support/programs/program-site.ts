import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareServer, type LocalServer } from "../../../scripts/local-server.ts";
import { endOf, newKey, type Ended } from "../cli/program.ts";
import { TcpLine } from "./tcp-line.ts";

/** A local site behind a line that counts and breaks, a key for it, and a folder in which programs run. */
export interface ProgramSite {
  origin: string;
  server: LocalServer;
  line: TcpLine;
  account: { key: string; email: string };
  /** The programs' home, too. */
  folder: string;
  /** @param input of standard input */
  run(command: string, args: string[], options?: { env?: Record<string, string>; input?: Uint8Array }): Promise<Ended>;
  /** A file of random bytes in the folder. @returns its SHA-256 in hex */
  writeRandom(name: string, sizeBytes: number): string;
  stop(): Promise<void>;
}

/** @param scopes of the key @throws Error when the server does not start */
export async function startProgramSite(scopes = ["upload"]): Promise<ProgramSite> {
  const line = new TcpLine();
  const origin = await line.listen();
  const server = await prepareServer({ publicOrigin: origin });
  line.targetPort = Number(new URL(server.origin).port);
  await server.start();
  const account = await newKey(origin, scopes);
  const folder = mkdtempSync(join(tmpdir(), "mayfly-programs-"));
  return {
    origin,
    server,
    line,
    account,
    folder,
    run: (command, args, { env = {}, input = new Uint8Array() } = {}) => {
      const program = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });
      // A program that is refused does not read the rest.
      program.stdin.on("error", () => undefined);
      program.stdin.end(input);
      return endOf(program);
    },
    writeRandom: (name, sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      writeFileSync(join(folder, name), bytes);
      return sumOf(bytes);
    },
    stop: async () => {
      line.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @returns SHA-256 in hex */
export function sumOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
