import { statfs, truncate, writeFile } from "node:fs/promises";
import { formatBytes, GIB, MIB, SECOND_MS } from "#domain/units.ts";
import { withBench } from "../bench/support/bench.ts";
import { openHome, openProfile, uploadAsPerson } from "../bench/support/browser.ts";
import { encryptUpload, prepareOpening, shownLink } from "../bench/support/sealed-page.ts";
import type { SoakOptions } from "./in-tests.ts";
import { MEMORY_LIMIT_BYTES, watchMemory, type Memory } from "./memory.ts";
import { report } from "./report.ts";

/** Disk space: storage keeps the file, the browser stages it and saves it, and other programs need space, too. */
const COPIES = 4;

/** The part `sealed` of the soak: the memory of a tab that sends an encrypted file, and of a tab that opens one. */
export async function sealed({ count }: SoakOptions): Promise<boolean> {
  const fileBytes = Number(count ?? "5120") * MIB;
  const { bavail, bsize } = await statfs(".");
  if (bavail * bsize < COPIES * fileBytes) throw new Error(`this takes ${(COPIES * fileBytes) / GIB} GB of free disk`);
  const { up, down } = await sendAndOpen(fileBytes);
  const text =
    "One tab encrypts and uploads a file of zeros. Another tab opens the file's link and decrypts the file. The process " +
    `of each tab must stay below ${formatBytes(MEMORY_LIMIT_BYTES)} of resident memory, which includes the idle page.`;
  const figures = (what: string, { durationMs, samples, idle, max }: Memory): [string, string | number][] => [
    [`${what}, duration`, `${(durationMs / SECOND_MS).toFixed(0)} s`],
    [`${what}, samples`, samples],
    [`${what}, resident memory, idle`, formatBytes(idle.residentBytes)],
    [`${what}, resident memory, maximum`, formatBytes(max.residentBytes)],
  ];
  await report("Encrypted files", text, [
    ["file", formatBytes(fileBytes)],
    ...figures("sending", up),
    ...figures("opening", down),
  ]);
  return Math.max(up.max.residentBytes, down.max.residentBytes) < MEMORY_LIMIT_BYTES;
}

async function sendAndOpen(sizeBytes: number): Promise<{ up: Memory; down: Memory }> {
  const measured: { up: Memory; down: Memory }[] = [];
  await withBench(async ({ server, account, browser }) => {
    const path = `${server.folder}/sparse.bin`;
    await writeFile(path, "");
    await truncate(path, sizeBytes);
    const sending = await openHome(browser, server, account);
    await encryptUpload(sending);
    const file = { path, sizeBytes, bytes: new Uint8Array() };
    const up = await watchMemory(sending, () => uploadAsPerson(sending, file), console.log);
    const link = await shownLink(sending);
    await sending.context().close();
    const profile = await openProfile(server.folder);
    try {
      const opening = profile.pages()[0] ?? (await profile.newPage());
      const open = await prepareOpening(opening, link);
      measured.push({ up, down: await watchMemory(opening, open, console.log) });
    } finally {
      await profile.close();
    }
  });
  const [memory] = measured;
  if (!memory) throw new Error("nothing was measured");
  return memory;
}
