import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { openHome, uploadAsPerson } from "./support/browser.ts";
import { discard } from "./support/http.ts";
import { proveInTest } from "./support/in-test.ts";
import { measureInTurns, withoutSetup, inParallel, type Count, type Row, type Setup } from "./support/measure.ts";
import { randomFile, type RandomFile } from "./support/random-file.ts";

const SHAPES = [
  { stored: "as one object", sizeBytes: 16 * MIB, times: 32, atOnce: 1 },
  { stored: "as one object", sizeBytes: 16 * MIB, times: 32, atOnce: 4 },
  { stored: "in segments", sizeBytes: 512 * MIB, times: 1, atOnce: 1 },
];

/** The bytes of a segment of a file of 512 MB. */
const SEGMENT_BYTES = 8 * MIB;

/** Downloads through the Worker, compared with reading the bytes as one object from storage. */
export async function measureDownloads(bench: Bench): Promise<(Row | Count)[]> {
  const rows: (Row | Count)[] = [];
  for (const { stored, sizeBytes, times, atOnce } of SHAPES) {
    const file = await randomFile(bench.server.folder, sizeBytes);
    const { downloadId, uploadId } = await upload(bench, file);
    const key = sizeBytes < SEGMENTED_FROM_BYTES ? `files/${uploadId}` : await inParts(bench, file);
    const content = `${bench.server.origin}/api/files/download/${downloadId}/content`;
    const { floor, product } = await measureInTurns({
      floor: repeated(times, atOnce, sizeBytes, () => bench.store.download(key)),
      product: repeated(times, atOnce, sizeBytes, () => discard(content)),
    });
    const what = `down, ${times} x ${formatBytes(sizeBytes)} stored ${stored}, ${atOnce} at a time`;
    rows.push({ what, sizeBytes: times * sizeBytes, productMs: product, floorMs: floor });
  }
  return [...rows, segmentsFromAfar()];
}

/**
 * Reads a file in segments over a line of 400 Mbit/s, with 40 ms between the Worker and storage. The floor is the same
 * file as one object.
 */
function segmentsFromAfar(): Count {
  const proof = { file: "test/worker/segments-from-afar.test.ts", title: "a file in segments" };
  const { lines } = proveInTest(proof, { AFAR_FILE_BYTES: String(SEGMENT_BYTES) });
  const [segments, one] = lines.flatMap(
    (line) => /measured segments: ([\d.]+) MB\/s, one object ([\d.]+) MB\/s/.exec(line)?.slice(1) ?? [],
  );
  const what = "down, 36 segments over 400 Mbit/s, storage 40 ms away";
  return { what, unit: "MB/s", product: Number(segments ?? NaN), floor: Number(one ?? NaN) };
}

/** Stores a file as one object in parts. @returns its key */
async function inParts({ store }: Bench, { bytes }: RandomFile): Promise<string> {
  const key = `bench/${crypto.randomUUID()}`;
  await store.upload(key, bytes);
  return key;
}

async function upload({ browser, server, account }: Bench, file: RandomFile) {
  const page = await openHome(browser, server, account);
  const answer = await uploadAsPerson(page, file);
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
