import { MAX_PARTS_PER_SIGNING } from "#domain/parts.ts";
import { GIB } from "#domain/units.ts";
import type { SignPartsAnswer, StartUploadAnswer } from "#domain/wire.ts";
import type { Bench } from "./support/bench.ts";
import { measureInTurns, withoutSetup, type Row, type Setup } from "./support/measure.ts";

/** A call takes milliseconds, so each call is measured many times. */
const ROUNDS = 50;

/** Wall time of signing a full batch of part URLs, and of signing one URL, compared with an empty handler. */
export async function measureSigning({ server, account }: Bench): Promise<Row[]> {
  const announced = { filename: "bench.bin", fileType: "", fileSize: 2 * GIB, expiration: "1d" };
  const { downloadId } = await account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
  const sign = (count: number) => async () => {
    const parts = Array.from({ length: count }, (_, index) => index + 1);
    const { urls } = await account.post<SignPartsAnswer>("/api/direct-upload/sign-parts", { downloadId, parts });
    if (urls.length !== count) throw new Error(`${urls.length} URLs of ${count} came`);
  };
  const doNothing = async () => {
    await (await fetch(`${server.origin}/api/auth/me`)).text();
  };
  const ways = {
    batch: withoutSetup(sign(MAX_PARTS_PER_SIGNING)),
    one: withoutSetup(sign(1)),
    nothing: withoutSetup(doNothing),
  };
  const { batch, one, nothing, start } = await measureInTurns({ ...ways, start: startAndCancel(account) }, ROUNDS);
  await account.post("/api/direct-upload/cancel", { downloadId });
  return [
    { what: `sign ${MAX_PARTS_PER_SIGNING} part URLs (floor: an empty handler)`, productMs: batch, floorMs: nothing },
    { what: "sign 1 part URL (floor: an empty handler)", productMs: one, floorMs: nothing },
    { what: "start an upload (floor: an empty handler)", productMs: start, floorMs: nothing },
  ];
}

function startAndCancel(account: Bench["account"]): Setup {
  let downloadId = "";
  return () =>
    Promise.resolve({
      run: async () => {
        const announced = { filename: "bench.bin", fileType: "", fileSize: 2 * GIB, expiration: "1d" };
        ({ downloadId } = await account.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced));
      },
      clear: async () => {
        await account.post("/api/direct-upload/cancel", { downloadId });
      },
    });
}
