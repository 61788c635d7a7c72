import { randomBytes } from "node:crypto";
import { KIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { put } from "./support/http.ts";
import { measureInTurns, withoutSetup, inParallel, type Row } from "./support/measure.ts";
import { uploadByScript } from "./support/script.ts";

const FILES = 500;
const FILE_BYTES = 100 * KIB;
const AT_ONCE = 8;

/** Sends many small files, with two calls and a PUT for each, compared with empty calls and plain PUTs. */
export async function measureSmallFiles({ account, server, store }: Bench): Promise<Row[]> {
  const bytes = randomBytes(FILE_BYTES);
  const nothing = async () => {
    await (await fetch(`${server.origin}/api/auth/me`)).text();
  };
  const bare = async () => {
    await nothing();
    await put(await store.putUrl(`bench/${crypto.randomUUID()}`), bytes);
    await nothing();
  };
  const { product, floor } = await measureInTurns({
    floor: repeated(bare),
    product: repeated(async () => {
      await uploadByScript(account, bytes);
    }),
  });
  await server.execute("delete from files");
  return [{ what: `up, ${FILES} x 100 KB`, sizeBytes: FILES * FILE_BYTES, productMs: product, floorMs: floor }];
}

function repeated(once: () => Promise<void>) {
  return inParallel(
    AT_ONCE,
    withoutSetup(async () => {
      for (let round = 0; round < FILES / AT_ONCE; round += 1) await once();
    }),
  );
}
