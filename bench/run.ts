import { measureCli } from "./cli.ts";
import { measureCpu } from "./cpu.ts";
import { measureCurl } from "./curl.ts";
import { measureDownloads } from "./download.ts";
import { measureFeed } from "./feed.ts";
import { measureGuards } from "./guards.ts";
import { measureLines } from "./lines.ts";
import { measurePeers } from "./peers.ts";
import { measurePictures } from "./pictures.ts";
import { measureScale } from "./scale.ts";
import { measureSealed } from "./sealed.ts";
import { measureSigning } from "./signing.ts";
import { measureSmallFiles } from "./small-files.ts";
import { measureSockets } from "./sockets.ts";
import { measureStartUp } from "./start-up.ts";
import { withBench } from "./support/bench.ts";
import { table, type Count, type Row } from "./support/measure.ts";
import { measureSweep } from "./sweep.ts";
import { measureTransfers } from "./transfers.ts";
import { measureUploads } from "./upload.ts";

/**
 * Compares the product with a floor: the local store that does the same work without the product. Only the ratio of
 * both counts. `npm run bench -- upload` (or another part) runs one part; `lines`, which takes half an hour,
 * `pictures`, which takes minutes, and `scale`, which measures no time, run only if they are named. If a line names another server or a limit, the floor's
 * column shows that server's figure or the limit.
 */
const PARTS = {
  upload: measureUploads,
  small: measureSmallFiles,
  download: measureDownloads,
  peers: measurePeers,
  signing: measureSigning,
  startup: measureStartUp,
  sockets: measureSockets,
  cpu: measureCpu,
  sweep: measureSweep,
  transfers: measureTransfers,
  guards: measureGuards,
  feed: measureFeed,
  sealed: measureSealed,
  cli: measureCli,
  curl: measureCurl,
};

const chosen = process.argv.slice(2);
if (chosen[0] === "lines") {
  await measureLines(chosen.slice(1));
  process.exit(0);
}
if (chosen[0] === "pictures") {
  await measurePictures(chosen.slice(1));
  process.exit(0);
}
if (chosen[0] === "scale") {
  measureScale();
  process.exit(0);
}
const unknown = chosen.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}": choose among ${Object.keys(PARTS).join(", ")}.`);
  process.exit(1);
}

const rows: (Row | Count)[] = [];
await withBench(async (bench) => {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await measure(bench)));
  }
});
console.log(table(rows));
