import { formatBytes, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { openHome, uploadAsPerson } from "./support/browser.ts";
import { discard } from "./support/http.ts";
import { measureInTurns, withoutSetup, inParallel, type Row, type Setup } from "./support/measure.ts";
import { randomFile } from "./support/random-file.ts";

const SHAPES = [
  { stored: "as one object", sizeBytes: 16 * MIB, times: 32, atOnce: 1 },
  { stored: "as one object", sizeBytes: 16 * MIB, times: 32, atOnce: 4 },
  { stored: "in parts", sizeBytes: 512 * MIB, times: 1, atOnce: 1 },
];

/** Downloads through the Worker, compared with reading the object from storage. */
export async function measureDownloads(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { stored, sizeBytes, times, atOnce } of SHAPES) {
    const { downloadId, uploadId } = await upload(bench, sizeBytes);
    const content = `${bench.server.origin}/api/files/download/${downloadId}/content`;
    const { floor, product } = await measureInTurns({
      floor: repeated(times, atOnce, sizeBytes, () => bench.store.download(`files/${uploadId}`)),
      product: repeated(times, atOnce, sizeBytes, () => discard(content)),
    });
    const what = `down, ${times} x ${formatBytes(sizeBytes)} stored ${stored}, ${atOnce} at a time`;
    rows.push({ what, sizeBytes: times * sizeBytes, productMs: product, floorMs: floor });
  }
  return rows;
}

async function upload({ browser, server, account }: Bench, sizeBytes: number) {
  const page = await openHome(browser, server, account);
  const answer = await uploadAsPerson(page, await randomFile(server.folder, sizeBytes));
  await page.context().close();
  return answer;
}

/** Reads several times, some reads in parallel, and checks the size of each answer. */
function repeated(times: number, atOnce: number, sizeBytes: number, read: () => Promise<number>): Setup {
  const oneAfterAnother = async () => {
    for (let round = 0; round < times / atOnce; round += 1) {
      const got = await read();
      if (got !== sizeBytes) throw new Error(`${got} bytes of ${sizeBytes} came`);
    }
  };
  return inParallel(atOnce, withoutSetup(oneAfterAnother));
}
