import { randomBytes } from "node:crypto";
import { formatBytes, MIB } from "#domain/units.ts";
import type { Bench } from "./support/bench.ts";
import { discard } from "./support/http.ts";
import { measureInTurns, withoutSetup, inParallel, type Row } from "./support/measure.ts";
import { startPeers, type Peer } from "./support/peers.ts";
import { uploadByScript } from "./support/script.ts";

/** The size of a file that the product stores as one object. */
const FILE_BYTES = 16 * MIB;
const TIMES = 16;
const AT_ONCE = [1, 4];
const UPLOAD_BYTES = 128 * MIB;

/** Sends the same files through this product and through other servers, whose figures are in the floor's column. */
export async function measurePeers(bench: Bench): Promise<Row[]> {
  const peers = await startPeers(bench.server.folder);
  try {
    const rows: Row[] = [];
    for (const peer of peers) rows.push(...(await downloads(bench, peer)), await upload(bench, peer));
    return rows;
  } finally {
    for (const peer of peers) peer.stop();
  }
}

async function downloads({ account, server }: Bench, peer: Peer): Promise<Row[]> {
  const bytes = randomBytes(FILE_BYTES);
  const { downloadId } = await uploadByScript(account, bytes);
  const ours = `${server.origin}/api/files/download/${downloadId}/content`;
  const theirs = await peer.upload(bytes);
  const rows: Row[] = [];
  for (const atOnce of AT_ONCE) {
    const read = (address: string) =>
      inParallel(
        atOnce,
        withoutSetup(async () => {
          for (let round = 0; round < TIMES / atOnce; round += 1) {
            if ((await discard(address)) !== FILE_BYTES) throw new Error(`${address} is incomplete`);
          }
        }),
      );
    const { product, floor } = await measureInTurns({ floor: read(theirs), product: read(ours) });
    const what = `down, ${TIMES} x ${formatBytes(FILE_BYTES)} as one object, ${atOnce} at a time, beside ${peer.name}`;
    rows.push({ what, sizeBytes: TIMES * FILE_BYTES, productMs: product, floorMs: floor });
  }
  return rows;
}

async function upload({ account }: Bench, peer: Peer): Promise<Row> {
  const bytes = randomBytes(UPLOAD_BYTES);
  const { product, floor } = await measureInTurns({
    floor: withoutSetup(async () => {
      await peer.upload(bytes);
    }),
    product: withoutSetup(async () => {
      await uploadByScript(account, bytes);
    }),
  });
  const what = `up, 1 x ${formatBytes(UPLOAD_BYTES)} by a script, beside ${peer.name}`;
  return { what, sizeBytes: UPLOAD_BYTES, productMs: product, floorMs: floor };
}
