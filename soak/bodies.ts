import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { MIB } from "#domain/units.ts";
import { createAccount } from "../bench/support/account.ts";
import { residentBytesOf, runtimeOf } from "../bench/support/processes.ts";
import { Store } from "../bench/support/store.ts";
import { onServer } from "./on-server.ts";

const BODIES = 16;
const BODY_BYTES = 95 * MIB;
const SAMPLE_EVERY_MS = 100;
/** The limit: six parts of 8 MiB, which the isolate may hold at once (worker/memory.ts), and the memory of streams. */
export const BODIES_LIMIT_BYTES = 64 * MIB;

const run = promisify(execFile);

export interface BodiesProof {
  bodies: number;
  bodyBytes: number;
  /**
   * The most resident memory of the runtime's process while the same bodies go straight to the store, which runs in
   * that process, too.
   */
  floorBytes: number;
  /** The most resident memory while the bodies go through the Worker, with Content-Length and without. */
  knownBytes: number;
  unknownBytes: number;
  problems: string[];
}

/** Sends bodies with curl, all at once, and samples the resident memory of the local runtime. */
export function proveBodies(log: (line: string) => void): Promise<BodiesProof> {
  return onServer(log, async (server) => {
    const account = await createAccount(server);
    const { key } = await account.post<{ key: string }>("/api/keys", { name: "soak", scopes: ["upload"] });
    const store = new Store(server.origin);
    const path = `${server.folder}/body.bin`;
    const bytes = randomBytes(BODY_BYTES);
    await writeFile(path, bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const runtime = await runtimeOf(server);
    const problems: string[] = [];

    // curl keeps to Retry-After.
    const curl = async (args: string[]) => (await run("curl", ["-sSf", "--retry", "50", "-T", path, ...args])).stdout;
    const compare = async (link: string) => {
      const { stdout } = await run("sh", ["-c", `curl -sSfL "${link.trim()}" | sha256sum`]);
      if (stdout.split(" ")[0] !== sha256) problems.push(`${link.trim()} has other bytes than were sent`);
    };
    const measure = async (what: string, send: () => Promise<string>) => {
      let mostBytes = 0;
      let isSending = true;
      const sending = Promise.all(Array.from({ length: BODIES }, send)).finally(() => {
        isSending = false;
      });
      const watch = async () => {
        while (isSending) {
          mostBytes = Math.max(mostBytes, await residentBytesOf(runtime));
          await wait(SAMPLE_EVERY_MS);
        }
      };
      const [links] = await Promise.all([sending, watch()]);
      log(`${BODIES} bodies ${what}: ${(mostBytes / MIB).toFixed(0)} MB`);
      return { links, mostBytes };
    };
    const toWorker = ["-u", `:${key}`, `${server.origin}/`];
    const floor = await measure("to the store", async () => curl([await store.putUrl(`soak/${crypto.randomUUID()}`)]));
    const known = await measure("with Content-Length", () => curl(toWorker));
    const unknown = await measure("without", () => curl(["-H", "Transfer-Encoding: chunked", ...toWorker]));
    for (const link of [...known.links, ...unknown.links]) await compare(link);
    return {
      bodies: BODIES,
      bodyBytes: BODY_BYTES,
      floorBytes: floor.mostBytes,
      knownBytes: known.mostBytes,
      unknownBytes: unknown.mostBytes,
      problems,
    };
  });
}
