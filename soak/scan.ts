import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { toHex } from "#domain/bytes-as-text.ts";
import { SECOND_MS } from "#domain/units.ts";
import { proveInTest } from "../bench/support/in-test.ts";
import { freePort } from "../scripts/free-port.ts";
import { report } from "./report.ts";

/** clamd loads its signatures within seconds. */
const START_TRIES = 60;

/** EICAR's test file in two halves, so that no scanner finds it here, and what the tests look for. */
const SIGNATURES = {
  "Mayfly.Eicar": ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-", "ANTIVIRUS-TEST-FILE!$H+H*"].join(""),
  "Mayfly.Test": "MAYFLY-TEST-VIRUS",
};

/**
 * Has files scanned by a real clamd with signatures of our own, so that nothing is downloaded.
 * @returns false if clamd is missing, or says something else than it should
 */
export async function scan(): Promise<boolean> {
  const version = spawnSync("clamd", ["--version"], { encoding: "utf8" });
  if (version.status !== 0) {
    console.error("clamd is missing. Install it: apt-get install clamav-daemon (Debian, Ubuntu), brew install clamav.");
    return false;
  }
  const folder = mkdtempSync(join(tmpdir(), "mayfly-clamd-"));
  const port = await freePort();
  const lines = Object.entries(SIGNATURES).map(
    ([name, text]) => `${name}:0:*:${toHex(new TextEncoder().encode(text).buffer)}\n`,
  );
  writeFileSync(join(folder, "own.ndb"), lines.join(""));
  const settings = ["Foreground yes", "TCPAddr 127.0.0.1", `TCPSocket ${port}`, `DatabaseDirectory ${folder}`];
  writeFileSync(join(folder, "clamd.conf"), [...settings, "StreamMaxLength 5M", ""].join("\n"));
  const clamd = spawn("clamd", ["-c", join(folder, "clamd.conf")], { stdio: ["ignore", "ignore", "inherit"] });
  try {
    if (!(await listens(clamd, port))) {
      console.error("clamd did not start.");
      return false;
    }
    const proof = { file: "test/worker/scanning.test.ts", title: "clamd's protocol says of each file what is in it" };
    const { ok, durationMs } = proveInTest(proof, { CLAMD: `clamd://127.0.0.1:${port}` });
    const text =
      "Files go to a real clamd over TCP: empty ones, small and large ones, some with what a signature of ours finds at " +
      "their end, and one above its limit. Each answer must be the right one.";
    await report("Scanning", text, [
      ["clamd", version.stdout.trim()],
      ["duration", `${(durationMs / SECOND_MS).toFixed(0)} s`],
      ["every answer right", ok ? "yes" : "no"],
    ]);
    return ok;
  } finally {
    clamd.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tries once a second whether clamd listens. @returns false once it has ended, or after a minute */
async function listens(clamd: ChildProcess, port: number): Promise<boolean> {
  for (let attempt = 0; attempt < START_TRIES && clamd.exitCode === null; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      }).on("error", () => resolve(false));
    });
    if (isOpen) return true;
    await setTimeout(SECOND_MS);
  }
  return false;
}
