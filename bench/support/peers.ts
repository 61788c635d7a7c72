import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { AwsClient } from "aws4fetch";
import { freePort } from "../../scripts/free-port.ts";
import { put } from "./http.ts";

const FOLDER = resolve("bench/peers");

/** Another file server with its default settings. */
export interface Peer {
  name: string;
  /** Uploads with the server's own client. @returns the download address */
  upload(bytes: Uint8Array): Promise<string>;
  stop(): void;
}

/** Starts each of the other servers in a process of its own. */
export async function startPeers(folder: string): Promise<Peer[]> {
  installPeers();
  return [await startTus(`${folder}/tus`), await startS3rver(`${folder}/s3rver`)];
}

/** Starts only @tus/server. @returns its port */
export async function serveTus(folder: string): Promise<{ port: number; stop(): void }> {
  installPeers();
  const { origin, stop } = await serve("tus", folder);
  return { port: Number(new URL(origin).port), stop };
}

/** @returns scripts for a page: tus-js-client as `tus`, Uppy as `uppyPage` */
export function peersInPage(folder: string): string[] {
  installPeers();
  const uppy = `${folder}/uppy-page.js`;
  const args = [`${FOLDER}/uppy-page.js`, "--bundle", "--format=iife", "--global-name=uppyPage", `--outfile=${uppy}`];
  const bundled = spawnSync(`${FOLDER}/node_modules/.bin/esbuild`, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (bundled.status !== 0) throw new Error("Uppy could not be bundled");
  return [`${FOLDER}/node_modules/tus-js-client/dist/tus.min.js`, uppy];
}

/** Installs the other servers. Only the first run has to. */
function installPeers(): void {
  if (!existsSync(`${FOLDER}/node_modules`)) {
    const installed = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: FOLDER, stdio: "inherit" });
    if (installed.status !== 0) throw new Error("the peers could not be installed");
  }
}

async function startTus(folder: string): Promise<Peer> {
  const { origin, stop } = await serve("tus", folder);
  const client = (await import(`${FOLDER}/tus-client.js`)) as {
    uploadTus(endpoint: string, bytes: Uint8Array): Promise<string>;
  };
  return { name: "@tus/server", upload: (bytes) => client.uploadTus(`${origin}/files`, bytes), stop };
}

async function startS3rver(folder: string): Promise<Peer> {
  const { origin, stop } = await serve("s3rver", folder);
  const client = new AwsClient({
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    service: "s3",
    region: "us-east-1",
  });
  const presign = async (method: string, address: string) =>
    (await client.sign(address, { method, aws: { signQuery: true } })).url;
  const upload = async (bytes: Uint8Array) => {
    const address = `${origin}/bench/${crypto.randomUUID()}`;
    await put(await presign("PUT", address), bytes);
    return presign("GET", address);
  };
  return { name: "s3rver", upload, stop };
}

async function serve(name: string, folder: string): Promise<{ origin: string; stop(): void }> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const child = spawn(process.execPath, [`${FOLDER}/serve.js`, name, String(port), folder], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const isReady = await Promise.race([once(child, "message").then(() => true), once(child, "exit").then(() => false)]);
  if (!isReady) throw new Error(`${name} did not start`);
  return {
    origin: `http://localhost:${port}`,
    stop: () => {
      child.kill();
    },
  };
}
