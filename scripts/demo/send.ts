import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { partRange } from "#domain/parts.ts";
import type { ListedKey, MadeKey, StartUploadAnswer, UnfinishedUpload } from "#domain/wire.ts";
import type { DemoLink } from "./links.ts";
import type { Person } from "./person.ts";
import { noise } from "./samples.ts";

const run = promisify(execFile);

const PROGRAM = resolve("build/cli/mayfly.js");
const KEY_NAME = "Command line of the demo";

/** Contents by path; a path with folders is sent as a transfer. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Sends files with the command line, as a person in a terminal would. */
export type Send = (files: Files, ...options: string[]) => Promise<DemoLink>;

/** Gives a person's command line a new key, and revokes the key that the last run made. */
export async function commandLineOf(person: Person): Promise<Send> {
  const keys = await person.get<ListedKey[]>("/api/keys");
  for (const { id, name } of keys) if (name === KEY_NAME) await person.delete(`/api/keys/${id}`);
  const { key } = await person.post<MadeKey>("/api/keys", {
    name: KEY_NAME,
    scopes: ["upload", "files:read", "files:write"],
  });
  return async (files, ...options) => {
    const parent = resolve(".tmp/demo");
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(`${parent}/`);
    try {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      }
      const paths = [...new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""))];
      const env = {
        ...process.env,
        MAYFLY_URL: person.origin,
        MAYFLY_KEY: key,
        XDG_CONFIG_HOME: join(folder, ".config"),
        XDG_STATE_HOME: join(folder, ".state"),
      };
      const args = [PROGRAM, "send", ...paths, "--json", "--quiet", ...options];
      const { stdout } = await run(process.execPath, args, { cwd: folder, env });
      return JSON.parse(stdout) as DemoLink;
    } finally {
      await rm(folder, { recursive: true });
    }
  };
}

/**
 * Begins an upload with the calls of a page, and leaves it unfinished. Cancels one of an earlier run first.
 * @param percent how much of the file arrives
 * @returns the upload's link
 */
export async function beginUpload(
  person: Person,
  filename: string,
  sizeBytes: number,
  percent: number,
): Promise<DemoLink> {
  const unfinished = await person.get<UnfinishedUpload[]>("/api/direct-upload/unfinished");
  for (const { downloadId, filename: begun } of unfinished) {
    if (begun === filename) await person.post("/api/direct-upload/cancel", { downloadId });
  }
  const started = await person.post<StartUploadAnswer>("/api/direct-upload/presigned-url", {
    filename,
    fileType: "video/quicktime",
    fileSize: sizeBytes,
    expiration: "3d",
    expirationChosen: true,
  });
  const { downloadId, uploadId, urls, multipart } = started;
  if (!multipart) throw new Error("an upload that is left in the middle needs parts");
  const receipts: { part: number; etag: string }[] = [];
  const parts = urls.slice(0, Math.round((multipart.partCount * percent) / 100));
  for (const { part, url } of parts) {
    const { start, end } = partRange(sizeBytes, part, multipart.partSizeBytes);
    const response = await fetch(new URL(url, person.origin), {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      body: noise(`${filename} ${part}`, end - start),
    });
    if (!response.ok) throw new Error(`a part answered ${response.status}: ${await response.text()}`);
    receipts.push({ part, etag: response.headers.get("etag") ?? "" });
  }
  await person.post("/api/direct-upload/sign-parts", { downloadId, parts: [multipart.partCount], receipts });
  return { id: uploadId, link: new URL(started.shareUrl, person.origin).href };
}
