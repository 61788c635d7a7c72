import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Browser, Page } from "playwright-core";
import { MIB } from "#domain/units.ts";
import type { ListedEntries } from "#domain/wire.ts";
import { endOf, newKey, Shell } from "#test/support/cli/program.ts";
import { isPartToStorage, openProxy, type Proxy } from "#test/support/cli/proxy.ts";
import { createAccount, type Account } from "../bench/support/account.ts";
import { openBrowser, openHome } from "../bench/support/browser.ts";
import type { LocalServer } from "../scripts/local-server.ts";
import type { SoakOptions } from "./in-tests.ts";
import { onServer } from "./on-server.ts";
import { report } from "./report.ts";
import { Seeded, seededBytes } from "./seeded.ts";

const PART_BYTES = 8 * MIB;
/** The bytes of the last part; all others have 8 MiB. */
const LAST_PART_BYTES = 1_000_000;
/** A file of nine parts is stored in segments, which can be read before the upload has ended. */
const PART_COUNTS = [4, 9] as const;
/** Each fourth upload is sent by the browser, which takes longer than the command line. */
const BROWSER_EVERY = 4;
const PATIENCE_MS = 120_000;
/** The exit code with which `mayfly send` says that a file has changed. */
const EXIT_CHANGED = 8;

const OLD_FILE = "the whole old file";

const PLACES = ["first", "middle", "last"] as const;

/** An upload of a file or folder, its interruption, and the change of its file during the interruption. */
interface Case {
  number: number;
  by: "browser" | "command line";
  kind: "file" | "folder";
  place: (typeof PLACES)[number];
  partCount: (typeof PART_COUNTS)[number];
  /** Whether the program is killed and started again. Otherwise the line stands still, and the same program goes on. */
  isKilled: boolean;
  /** Whether the file's date is set back after the change. */
  keepsDate: boolean;
  /** The number of parts that are sent before the interruption. */
  partsBefore: number;
  /** The offset of the first changed byte in its part. */
  offset: number;
  /** The number of bytes that change. */
  changedBytes: number;
}

/** How an upload of a changed file ended. */
type Ending = { bytes: Uint8Array } | { refusal: string };

interface TornProof {
  seed: number;
  /** The number of uploads that ended with the new file, with the whole old file, and of uploads that were refused. */
  newFiles: number;
  oldFiles: number;
  refusals: number;
  byBrowser: number;
  inSegments: number;
  problems: string[];
}

/** The part `torn` of the soak. */
export async function torn({ seed, count }: SoakOptions): Promise<boolean> {
  const result = await proveTorn({ seed: Number(seed), uploads: Number(count ?? "200"), log: console.log });
  const text =
    "Single files and folders are sent by Chromium and by the command line, and interrupted: the program is killed and " +
    "started again, or its line stands still. Some files are large enough to be stored in segments. Meanwhile some " +
    "bytes of the first, a middle or the last part change; in half of the cases the file's date is set back. Each " +
    "upload must end with exactly the new file behind its link, or be refused in words. Only a change that a page cannot " +
    "see may end with the whole old file: made in place, after the page has read that part, with the date set back.";
  await report("Torn files", text, [
    ["seed", result.seed],
    ["uploads", result.newFiles + result.oldFiles + result.refusals + result.problems.length],
    ["of them by Chromium", result.byBrowser],
    ["of them in segments", result.inSegments],
    ["ended with the new file", result.newFiles],
    ["ended with the whole old file, after a change that the page could not see", result.oldFiles],
    ["refused in words", result.refusals],
    ["mixed files and other problems", result.problems.length],
  ]);
  for (const problem of result.problems) console.log(problem);
  return result.problems.length === 0;
}

function proveTorn({
  seed,
  uploads,
  log,
}: {
  seed: number;
  uploads: number;
  log: (line: string) => void;
}): Promise<TornProof> {
  return onServer(log, async (server) => {
    const result: TornProof = {
      seed,
      newFiles: 0,
      oldFiles: 0,
      refusals: 0,
      byBrowser: 0,
      inSegments: 0,
      problems: [],
    };
    const account = await createAccount(server);
    const { key } = await newKey(server.origin);
    await server.execute("update users set plan_type = 'ultimate'");
    const browser = await openBrowser(server.folder);
    const random = new Seeded(`${seed}-torn`);
    try {
      for (let number = 0; number < uploads; number += 1) {
        const torn = draw(random, number);
        const sizeBytes = (torn.partCount - 1) * PART_BYTES + LAST_PART_BYTES;
        const before = seededBytes(`${seed}-torn-${number}`, sizeBytes);
        const after = changed(before, torn);
        if (torn.by === "browser") result.byBrowser += 1;
        if (torn.partCount === 9) result.inSegments += 1;
        const ending =
          torn.by === "browser"
            ? await byBrowser(server, browser, account, torn, before, after)
            : await byCommandLine(server, key, torn, before, after);
        const { problem, end } = judge(torn, ending, before, after);
        if (problem) result.problems.push(`${describe(torn)}: ${end}`);
        else if ("refusal" in ending) result.refusals += 1;
        else if (end === OLD_FILE) result.oldFiles += 1;
        else result.newFiles += 1;
        log(`${describe(torn)}: ${end}`);
      }
    } finally {
      await browser.close();
    }
    return result;
  });
}

function draw(random: Seeded, number: number): Case {
  const place = PLACES[number % PLACES.length] ?? "first";
  const changedBytes = random.between(1, 100_000);
  const kind = random.between(0, 1) === 0 ? "file" : "folder";
  return {
    number,
    by: number % BROWSER_EVERY === 0 ? "browser" : "command line",
    kind,
    place,
    partCount: kind === "file" && random.between(0, 1) === 0 ? 9 : 4,
    isKilled: random.between(0, 1) === 0,
    keepsDate: random.between(0, 1) === 0,
    partsBefore: random.between(1, 3),
    offset: random.between(0, (place === "last" ? LAST_PART_BYTES : PART_BYTES) - changedBytes),
    changedBytes,
  };
}

function describe({ number, by, kind, place, partCount, isKilled, keepsDate, partsBefore }: Case): string {
  const how = isKilled ? "killed" : "standing still";
  const date = keepsDate ? "the same date" : "a new date";
  return `${number}: a ${kind} of ${partCount} parts by ${by}, ${how} after ${partsBefore} parts, changed in the ${place} part with ${date}`;
}

function changed(
  before: Uint8Array<ArrayBuffer>,
  { place, partCount, offset, changedBytes }: Case,
): Uint8Array<ArrayBuffer> {
  const after = before.slice();
  const part = { first: 0, middle: 1, last: partCount - 1 }[place];
  const from = part * PART_BYTES + offset;
  for (let at = from; at < from + changedBytes; at += 1) after[at] = (after[at] ?? 0) ^ 0xff;
  return after;
}

/** @returns how the upload ended, and whether that is a problem */
function judge(torn: Case, ending: Ending, before: Uint8Array, after: Uint8Array): { end: string; problem: boolean } {
  if ("refusal" in ending) return { end: ending.refusal, problem: !/chang|could not be read/.test(ending.refusal) };
  if (isDeepStrictEqual(ending.bytes, after)) return { end: "the new file", problem: false };
  if (!isDeepStrictEqual(ending.bytes, before)) return { end: "a mixed file", problem: true };
  // Decision 049: a page that goes on sees a change only by the file's date and by samples of its bytes.
  const couldSee = torn.by === "command line" || torn.isKilled || !torn.keepsDate;
  return { end: OLD_FILE, problem: couldSee };
}

/** Changes the file in place, as editors of containers and databases change files. */
function change(path: string, after: Uint8Array, keepsDate: boolean): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, after, { flag: "r+" });
  if (keepsDate) utimesSync(path, atime, mtime);
}

async function byCommandLine(
  server: LocalServer,
  key: string,
  { kind, isKilled, keepsDate, partsBefore }: Case,
  before: Uint8Array,
  after: Uint8Array,
): Promise<Ending> {
  const proxy = await openProxy();
  const shell = new Shell({ MAYFLY_URL: server.origin, MAYFLY_KEY: key, HTTP_PROXY: proxy.address, NO_PROXY: "" });
  try {
    const sent = kind === "file" ? "file.bin" : "folder";
    const path = kind === "file" ? "file.bin" : "folder/file.bin";
    if (kind === "folder") {
      mkdirSync(join(shell.work, "folder"));
      writeFileSync(join(shell.work, "folder/small.txt"), "small");
    }
    writeFileSync(join(shell.work, path), before);
    // The file gets a date of whole seconds: file systems store finer dates than those that can be set back.
    utimesSync(join(shell.work, path), 1_700_000_000, 1_700_000_000);
    holdAfter(proxy, partsBefore);
    const held = proxy.untilHeld();
    const program = shell.start("send", sent);
    program.stdin.end();
    const ended = endOf(program);
    await held;
    if (isKilled) {
      program.kill("SIGKILL");
      await ended;
    }
    change(join(shell.work, path), after, keepsDate);
    proxy.fateOf = () => "passes";
    proxy.breakHeld();
    const again = isKilled ? await shell.run("send", sent) : null;
    const { code, out, error } = again ?? (await ended);
    if (code === EXIT_CHANGED) return { refusal: error.trim().split("\n").at(-1) ?? "" };
    if (code !== 0) return { refusal: `exit ${String(code)}: ${error}` };
    const got = await shell.run("get", out.trim(), "--out", "out");
    if (got.code !== 0) return { refusal: `get ended with ${String(got.code)}: ${got.error}` };
    return { bytes: new Uint8Array(readFileSync(join(shell.work, "out", path))) };
  } finally {
    await proxy.close();
    shell.remove();
  }
}

function holdAfter(proxy: Proxy, parts: number): void {
  let left = parts;
  proxy.fateOf = (method, url) => (isPartToStorage(method, url) && left-- <= 0 ? "is held" : "passes");
}

async function byBrowser(
  server: LocalServer,
  browser: Browser,
  account: Account,
  { number, kind, isKilled, keepsDate, partsBefore }: Case,
  before: Uint8Array,
  after: Uint8Array,
): Promise<Ending> {
  const folder = join(server.folder, `torn-${number}`);
  mkdirSync(folder);
  const path = join(folder, "file.bin");
  writeFileSync(path, before);
  writeFileSync(join(folder, "small.txt"), "small");
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const chosen = kind === "file" ? path : folder;
  let page = await openHome(browser, server, account);
  const release = await holdParts(page, partsBefore);
  try {
    await choose(page, chosen, kind);
    await release.held;
    if (isKilled) {
      await page.context().close();
      change(path, after, keepsDate);
      page = await openHome(browser, server, account);
      await choose(page, chosen, kind);
    } else {
      change(path, after, keepsDate);
      release.go();
    }
    return await endingOf(page, kind);
  } finally {
    await page.context().close();
    rmSync(folder, { recursive: true });
  }
}

/** Lets the given number of parts pass, and holds the others. */
async function holdParts(page: Page, parts: number): Promise<{ held: Promise<unknown>; go(): void }> {
  const held = Promise.withResolvers<undefined>();
  const gate = Promise.withResolvers<undefined>();
  let left = parts;
  await page.context().route(/X-Amz-Signature=/, async (route) => {
    if (route.request().method() === "PUT" && left-- <= 0) {
      held.resolve(undefined);
      await gate.promise;
    }
    await route.continue().catch(() => undefined);
  });
  return {
    held: held.promise,
    go: () => {
      left = Infinity;
      gate.resolve(undefined);
    },
  };
}

async function choose(page: Page, chosen: string, kind: Case["kind"]): Promise<void> {
  const label = kind === "file" ? "Choose a file" : "Choose a folder";
  await page.getByLabel(label).setInputFiles(chosen);
  if (kind === "folder") await page.getByRole("button", { name: "Send 2 files" }).click();
}

async function endingOf(page: Page, kind: Case["kind"]): Promise<Ending> {
  const ready = page.getByRole("heading", { name: "Ready to share" });
  const refused = page.getByText(/could not be read|changed/).first();
  await ready.or(refused).first().waitFor({ timeout: PATIENCE_MS });
  if (!(await ready.isVisible())) return { refusal: (await refused.textContent()) ?? "" };
  const link = await page.getByLabel("Share link").inputValue();
  const api = link.replace("/download/", "/api/files/download/");
  const response = await fetch(kind === "file" ? `${api}/content` : `${api}/entries/${await numberOf(api)}/content`);
  if (!response.ok) return { refusal: `the download answered ${response.status}` };
  return { bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** The entry number of the large file in a transfer. @param api the address of the information about the link */
async function numberOf(api: string): Promise<number> {
  const list = (await (await fetch(`${api}/entries`)).json()) as ListedEntries;
  const found = list.entries.find(({ path }) => path.endsWith("file.bin"));
  if (!found) throw new Error("the transfer has no file.bin");
  return found.n;
}
