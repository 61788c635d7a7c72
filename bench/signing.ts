import { MAX_PARTS_PER_SIGNING } from "#domain/parts.ts";
import { GIB } from "#domain/units.ts";
import type { SignPartsAnswer, StartUploadAnswer } from "#domain/wire.ts";
import type { Bench } from "./support/bench.ts";
import { inTurns, simply, type Row, type Way } from "./support/measure.ts";

/** A call takes milliseconds, so one is measured this often. */
const ROUNDS = 50;

/** Signing a full batch of part URLs, and one alone, beside a handler that does nothing. Wall time of the caller. */
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
  const ways = { batch: simply(sign(MAX_PARTS_PER_SIGNING)), one: simply(sign(1)), nothing: simply(doNothing) };
  const { batch, one, nothing, start } = await inTurns({ ...ways, start: startAndCancel(account) }, ROUNDS);
  await account.post("/api/direct-upload/cancel", { downloadId });
  return [
    { what: `sign ${MAX_PARTS_PER_SIGNING} part URLs (floor: an empty handler)`, wholeMs: batch, floorMs: nothing },
    { what: "sign 1 part URL (floor: an empty handler)", wholeMs: one, floorMs: nothing },
    { what: "start an upload (floor: an empty handler)", wholeMs: start, floorMs: nothing },
  ];
}

/** Only the start is on the clock. */
function startAndCancel(account: Bench["account"]): Way {
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
