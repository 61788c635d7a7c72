import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Bench } from "./support/bench.ts";
import { measureInTurns, withoutSetup, type Row } from "./support/measure.ts";

const FILES = 20;
const FILE_BYTES = 1_000_000;

const run = promisify(execFile);

/** Measures how long curl takes until it prints a link, compared with a plain PUT by curl into the store. */
export async function measureCurl({ account, server, store }: Bench): Promise<Row[]> {
  const path = `${server.folder}/one-megabyte.bin`;
  await writeFile(path, randomBytes(FILE_BYTES));
  const { key } = await account.post<{ key: string }>("/api/keys", { name: "bench", scopes: ["upload"] });
  const send = async (args: string[]) => (await run("curl", ["-sSf", "-T", path, ...args])).stdout;
  const { product, floor } = await measureInTurns({
    floor: repeated(async () => {
      await send([await store.putUrl(`bench/${crypto.randomUUID()}`)]);
    }),
    product: repeated(async () => {
      const link = await send(["-u", `:${key}`, `${server.origin}/`]);
      if (!link.startsWith(`${server.origin}/download/`)) throw new Error(`curl printed ${link}`);
    }),
  });
  await server.execute("delete from files");
  return [{ what: "curl, 1 MB, until the link", productMs: product / FILES, floorMs: floor / FILES }];
}

function repeated(once: () => Promise<void>) {
  return withoutSetup(async () => {
    for (let sent = 0; sent < FILES; sent += 1) await once();
  });
}
