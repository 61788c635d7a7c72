import { formatBytes, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { openHome, uploadAsPerson } from "./support/browser.ts";
import { discard } from "./support/http.ts";
import { inTurns, simply, together, type Row, type Way } from "./support/measure.ts";
import { randomFile } from "./support/random-file.ts";

const SHAPES = [
  { stored: "whole", sizeBytes: 16 * MIB, times: 32, atOnce: 1 },
  { stored: "whole", sizeBytes: 16 * MIB, times: 32, atOnce: 4 },
  { stored: "in parts", sizeBytes: 512 * MIB, times: 1, atOnce: 1 },
];

/** Downloads through the Worker, beside reading the same object straight from the store. */
export async function measureDownloads(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { stored, sizeBytes, times, atOnce } of SHAPES) {
    const { downloadId, uploadId } = await upload(bench, sizeBytes);
    const content = `${bench.server.origin}/api/files/download/${downloadId}/content`;
    const { floor, whole } = await inTurns({
      floor: repeated(times, atOnce, sizeBytes, () => bench.store.download(`files/${uploadId}`)),
      whole: repeated(times, atOnce, sizeBytes, () => discard(content)),
    });
    const what = `down, ${times} x ${formatBytes(sizeBytes)} stored ${stored}, ${atOnce} at a time`;
    rows.push({ what, sizeBytes: times * sizeBytes, wholeMs: whole, floorMs: floor });
  }
  return rows;
}

async function upload({ browser, server, account }: Bench, sizeBytes: number) {
  const page = await openHome(browser, server, account);
  const answer = await uploadAsPerson(page, await randomFile(server.folder, sizeBytes));
  await page.context().close();
  return answer;
}

/** Reads so many times, some of them at once. Every reading has to bring every byte. */
function repeated(times: number, atOnce: number, sizeBytes: number, read: () => Promise<number>): Way {
  const oneAfterAnother = async () => {
    for (let done = 0; done < times / atOnce; done += 1) {
      const got = await read();
      if (got !== sizeBytes) throw new Error(`${got} bytes of ${sizeBytes} came`);
    }
  };
  return together(atOnce, simply(oneAfterAnother));
}
