import { readdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import type { DownloadInfo, ListedEntries, StartTransferAnswer } from "#domain/wire.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import { withLines, type LinesBench } from "./lines/lines-bench.ts";
import { LINES } from "./lines/shapes.ts";
import { align } from "./support/measure.ts";
import { openHome, openPage, readyToShare } from "./support/browser.ts";
import { drawPhotograph } from "./support/photograph.ts";

/** How many photographs are drawn. The others are the same with other bytes behind their end. */
const DRAWN = 4;
const LOOK_EVERY_MS = 200;
const TIMES = 9;

/**
 * `npm run bench -- pictures`: photographs of 5 MB in one transfer over a line, with small pictures and without: how
 * long until the recipient's wall is complete, what the pictures cost the upload, and how long a tile and a view take
 * to make. `--line home` chooses another line than `office`, `--count` says how many photographs, `--rounds` how often
 * to measure, `--browser PATH` names an installed Chromium.
 */
export async function measurePictures(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      line: { type: "string", default: "office" },
      count: { type: "string", default: "200" },
      rounds: { type: "string", default: "1" },
      browser: { type: "string" },
    },
  });
  const shape = LINES.find(({ name }) => name === values.line);
  if (!shape) throw new Error(`There is no line "${values.line}".`);
  const rows: string[][] = [["", "all sent after", "wall complete after", "views complete after"]];
  const without: number[] = [];
  const withPictures: number[] = [];
  await withLines({ program: values.browser ?? null, http2: false }, async (bench) => {
    const paths = await photographs(bench, Number(values.count));
    console.log(await timesOfMaking(bench, paths[0] ?? ""));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const name of ["without pictures", "with pictures"] as const) {
        await bench.line.begin({ ...shape, faults: [] }, "");
        const { sent, wall, views } = await send(bench, paths, name === "with pictures");
        (name === "with pictures" ? withPictures : without).push(sent);
        const row = [name, ...[sent, wall, views].map((ms) => (ms === null ? "" : `${(ms / SECOND_MS).toFixed(1)} s`))];
        console.log(row.join("  "));
        rows.push(row);
      }
    }
  });
  console.log(`\n${align(rows)}`);
  console.log(`ratio ${(median(without) / median(withPictures)).toFixed(3)} (at least 0.98)`);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Writes photographs to the disk. @returns their paths */
async function photographs({ browser, server }: LinesBench, count: number): Promise<string[]> {
  const page = await openPage(browser, { bypassCSP: true });
  await page.goto(`${server.origin}/api/auth/me`);
  const drawn: Uint8Array[] = [];
  for (let seed = 1; seed <= DRAWN; seed += 1) drawn.push(await drawPhotograph(page, seed));
  await page.context().close();
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const path = `${server.folder}/photograph-${String(n).padStart(4, "0")}.jpg`;
    await writeFile(path, [drawn[n % DRAWN] ?? "", String(n)]);
    paths.push(path);
  }
  return paths;
}

interface Sent {
  /** Milliseconds after the choice. */
  sent: number;
  /** Null without pictures. */
  wall: number | null;
  views: number | null;
}

async function send(bench: LinesBench, paths: string[], hasPictures: boolean): Promise<Sent> {
  const { browser, line, account, server } = bench;
  const page = await openHome(browser, { origin: line.origins.app }, account);
  try {
    const started = page.waitForResponse((answer) => answer.url().endsWith("/api/transfers"));
    const ready = page.evaluate(readyToShare);
    // If choosing fails, closing the page fails this one, too.
    ready.catch(() => undefined);
    await chooseFiles(page, paths, hasPictures);
    // Large transfers are shown before they are sent.
    const button = page.getByRole("button", { name: /^Send [\d,]+ files/ });
    await button.waitFor();
    const chosenAt = Date.now();
    await button.evaluate((element: HTMLElement) => {
      element.click();
    });
    const { downloadId } = (await (await started).json()) as StartTransferAnswer;
    const wall = hasPictures ? complete(server.origin, downloadId, "tile", paths.length, chosenAt) : null;
    await ready;
    const sent = Date.now() - chosenAt;
    const views = hasPictures ? complete(server.origin, downloadId, "view", paths.length, chosenAt) : null;
    return { sent, wall: await wall, views: await views };
  } finally {
    await page.context().close();
  }
}

/** @returns milliseconds after the choice until a recipient's page can show so many pictures of a kind */
async function complete(origin: string, downloadId: string, kind: PictureKind, count: number, chosenAt: number) {
  for (;;) {
    const found = kind === "tile" ? await countTiles(origin, downloadId) : await countViews(origin, downloadId);
    if (found === count) return Date.now() - chosenAt;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}

async function countTiles(origin: string, downloadId: string): Promise<number> {
  const answer = await fetch(`${origin}/api/files/download/${downloadId}`);
  const { transfer } = await answer.json<DownloadInfo>();
  return transfer?.pictures ?? 0;
}

async function countViews(origin: string, downloadId: string): Promise<number> {
  const answer = await fetch(`${origin}/api/files/download/${downloadId}/entries?from=0`);
  const { entries } = await answer.json<ListedEntries>();
  return entries.filter(({ picture }) => picture?.view).length;
}

/**
 * Chooses files under new names, because the same names would resume an earlier upload.
 * @param arePhotographs otherwise the files have names and types of no photograph, so no pictures are made of the same
 *   bytes
 */
async function chooseFiles(page: Page, paths: string[], arePhotographs: boolean): Promise<void> {
  const own = page.getByLabel("Choose a file");
  await own.focus();
  const other = await page.evaluateHandle(() =>
    Object.assign(document.createElement("input"), { type: "file", multiple: true }),
  );
  await other.setInputFiles(paths);
  await own.evaluate(
    (input: HTMLInputElement, { held, areNamed }) => {
      const chosen = new DataTransfer();
      const tag = crypto.randomUUID();
      for (const file of held.files ?? []) {
        const name = `${tag}-${file.name}`;
        const options = { type: areNamed ? file.type : "", lastModified: file.lastModified };
        chosen.items.add(new File([file], areNamed ? name : `${name}.bin`, options));
      }
      input.files = chosen.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    { held: other, areNamed: arePhotographs },
  );
}

/** @returns the median times in which the product's thread makes a tile and a view of a photograph */
async function timesOfMaking({ browser, server }: LinesBench, path: string): Promise<string> {
  const assets = "build/client/assets";
  const script = (await readdir(assets)).find((name) => name.startsWith("make-pictures.worker-"));
  if (script === undefined) throw new Error(`there is no make-pictures.worker in ${assets}`);
  const page = await openPage(browser, { bypassCSP: true });
  await page.goto(`${server.origin}/api/auth/me`);
  await page.setContent(`<input type="file">`);
  await page.locator("input").setInputFiles(path);
  const times = await page.evaluate(
    async ([address, count]) => {
      const source = document.querySelector("input")?.files?.[0];
      const worker = new Worker(address, { type: "module" });
      const next = () =>
        new Promise<{ answer?: { image: Blob } } | null>((resolve) => {
          worker.onmessage = ({ data }: MessageEvent<{ answer?: { image: Blob } } | null>) => {
            resolve(data);
          };
        });
      await next();
      const result: Record<string, { ms: number; bytes: number }> = {};
      for (const kind of ["tile", "view"]) {
        const taken: number[] = [];
        let bytes = 0;
        for (let time = 0; time < count; time += 1) {
          const from = performance.now();
          worker.postMessage({ id: time, request: { source, kind } });
          bytes = (await next())?.answer?.image.size ?? 0;
          taken.push(performance.now() - from);
        }
        result[kind] = { ms: taken.sort((a, b) => a - b)[Math.floor(count / 2)] ?? NaN, bytes };
      }
      return result;
    },
    [`/assets/${script}`, TIMES] as const,
  );
  await page.context().close();
  const told = Object.entries(times).map(
    ([kind, { ms, bytes }]) => `a ${kind} takes ${Math.round(ms)} ms, ${bytes} bytes`,
  );
  return told.join("; ");
}
