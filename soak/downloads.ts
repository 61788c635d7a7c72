import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createAccount } from "../bench/support/account.ts";
import { Client } from "./client.ts";
import { PartsUpload } from "./parts-upload.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { prepareServer } from "../scripts/local-server.ts";
import { sha256 } from "./soaked-upload.ts";

const POLL_MS = 5;

export interface Downloads {
  seed: number;
  fileBytes: number;
  /** The number of bytes that curl had saved at each kill. */
  cutAtBytes: number[];
  /** Whether the joined pieces are equal to the file, by SHA-256. */
  isIdentical: boolean;
}

export interface DownloadsOptions {
  seed: number;
  fileBytes: number;
  kills: number;
  log: (line: string) => void;
}

/**
 * Downloads a large file with curl, kills curl (SIGKILL) several times during the transfer, and resumes with `-C -`.
 * @throws Error when curl exits early or fails at the end
 */
export async function proveDownloads({ seed, fileBytes, kills, log }: DownloadsOptions): Promise<Downloads> {
  const server = await prepareServer();
  try {
    await server.start();
    const client = new Client(server.origin, await createAccount(server));
    const file = { name: `${seed}-download.bin`, bytes: seededBytes(`${seed}-download`, fileBytes) };
    const { downloadId } = await new PartsUpload(client, file, "presigned", false).run();
    log(`uploaded ${fileBytes} bytes`);
    const url = `${server.origin}/api/files/download/${downloadId}/content`;
    const path = `${server.folder}/downloaded.bin`;
    const cutAtBytes: number[] = [];
    for (const target of killPositions(seed, fileBytes, kills)) {
      cutAtBytes.push(await cutDownload(url, path, target));
      log(`kill ${cutAtBytes.length}/${kills} at ${cutAtBytes.at(-1)} bytes`);
    }
    const [code] = (await once(resume(url, path), "exit")) as [number | null];
    if (code !== 0) throw new Error(`curl ended with ${code}`);
    return { seed, fileBytes, cutAtBytes, isIdentical: (await sha256Of(path)) === sha256(file.bytes) };
  } finally {
    await server.stop();
  }
}

/** The byte positions of the kills, in ascending order. */
function killPositions(seed: number, fileBytes: number, kills: number): number[] {
  const draw = new Seeded(`${seed}-cuts`);
  return Array.from({ length: kills }, () => draw.between(1, fileBytes - 1)).sort((a, b) => a - b);
}

/** Resumes until `targetBytes` bytes are saved, then kills curl. @returns the bytes that are saved by then */
async function cutDownload(url: string, path: string, targetBytes: number): Promise<number> {
  const curl = resume(url, path);
  const exited = once(curl, "exit");
  while ((await sizeOf(path)) < targetBytes && curl.exitCode === null) await wait(POLL_MS);
  if (curl.exitCode !== null) throw new Error(`curl ended with ${curl.exitCode} before it was killed`);
  curl.kill("SIGKILL");
  await exited;
  return sizeOf(path);
}

function resume(url: string, path: string) {
  return spawn("curl", ["--silent", "--show-error", "--fail", "--continue-at", "-", "--output", path, url], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
