import { mkdir } from "node:fs/promises";
import { safeFilename } from "#domain/file-names.ts";
import { checkPath } from "#domain/transfers/paths.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import { ProgressReporter } from "#engine/progress.ts";
import { checkName, isThere, pathOf } from "../../opener/file-names.ts";
import { openLink } from "../../opener/open-link.ts";
import { askPassword, readPassword } from "../../opener/password.ts";
import { WorkFolder } from "../../opener/work-folder.ts";
import { EXIT, Failure } from "../failure.ts";
import { requireLinkUrl } from "../links.ts";
import { fetchDirectly } from "../net/fetch.ts";
import { onlyOne, readCount, usage, type OptionsOf } from "../options.ts";
import { canAsk, Terminal, writeResult } from "../terminal.ts";
import { Recipient, type LinkFile } from "./recipient.ts";
import { savePlain } from "./save-plain.ts";

type Values = OptionsOf<"get">["values"];

/** Up to this size, files are downloaded in parallel. A larger file uses the whole connection by itself. */
const SMALL_BYTES = 8 * MIB;
const AT_ONCE = 4;

/** @throws the errors that `describeError` describes */
export async function get({ values, positionals }: OptionsOf<"get">): Promise<void> {
  const link = onlyOne(positionals, "one link");
  const address = requireLinkUrl(link);
  const terminal = new Terminal(values.quiet ?? false);
  const numbers = (values.file ?? []).map((text) => readCount("--file", text));
  const givePassword = values["password-stdin"] ? readPassword : askOnTerminal;
  const out = values.out ?? ".";
  const work = new WorkFolder(out, address.downloadId);
  const recipient = new Recipient(address, await work.readLease(), givePassword);
  const info = await recipient.readInfo();
  if (info === null) {
    await getSealed(link, values, numbers, terminal);
    return;
  }
  const isSingle = info.files === 1 && !info.title;
  const files = (await recipient.listFiles()).map((file) => ({ ...file, name: localName(file.name, isSingle) }));
  if (values.list) {
    writeResult(values, { ...info, items: files }, ({ items }) => items.map(rowOf));
    return;
  }
  const chosen = chooseFiles(files, numbers, values.out !== undefined);
  if (info.state === "uploading" && chosen.some(({ state }) => state !== "stored")) {
    throw new Failure(EXIT.limit, "The files are still arriving. Try again when the sender has finished.");
  }
  await mkdir(out, { recursive: true });
  await work.open();
  try {
    const isLimited = typeof info.guards?.maxDownloads === "number";
    const saved = await saveAll(chosen, { recipient, work, out, isLimited, force: values.force ?? false, terminal });
    await work.forgetLease();
    writeResult(values, { files: saved }, filesOf);
  } finally {
    terminal.clear();
    await work.close();
  }
}

function askOnTerminal(): Promise<string> {
  if (canAsk()) return askPassword();
  throw new Failure(EXIT.refused, "This link needs a password: use a terminal or --password-stdin.");
}

/** Saves a sealed link with the opener's list and names, but with this program's rules for output. */
async function getSealed(link: string, values: Values, files: number[], terminal: Terminal): Promise<void> {
  const saved: string[] = [];
  let list = "";
  await openLink(
    {
      link,
      list: values.list ?? false,
      files,
      out: values.out ?? null,
      passwordStdin: values["password-stdin"] ?? false,
      force: values.force ?? false,
    },
    {
      fetch: fetchDirectly,
      report: {
        listed: (text) => (list = text),
        saved: (path) => saved.push(path),
        there: (path) => {
          saved.push(path);
          terminal.note(`${path} is there already`);
        },
        note: (text) => terminal.note(text),
        progressOf: ({ size }) => {
          const reporter = new ProgressReporter(size, (progress) => terminal.progress(progress));
          return {
            update: (bytes) => reporter.update(bytes),
            clear: () => {
              reporter.stop();
              terminal.clear();
            },
          };
        },
      },
    },
  );
  if (values.list) writeResult(values, { list }, () => list.split("\n"));
  else writeResult(values, { files: saved }, filesOf);
}

const filesOf = ({ files }: { files: string[] }) => files;

function chooseFiles(files: LinkFile[], numbers: number[], isFolderChosen: boolean): LinkFile[] {
  const chosen = numbers.map((number) => {
    const file = files[number - 1];
    if (!file) throw usage(`There is no file ${number}: the list ends at ${files.length}.`);
    return file;
  });
  const all = numbers.length === 0 ? files : chosen;
  for (const { name } of all) checkName(name, isFolderChosen);
  return all;
}

function rowOf({ name, size, modifiedAt }: LinkFile, index: number): string {
  const date = modifiedAt?.slice(0, 10) ?? "          ";
  return `${String(index + 1).padStart(5)}  ${formatBytes(size).padStart(11)}  ${date}  ${name}`;
}

interface Saving {
  recipient: Recipient;
  work: WorkFolder;
  out: string;
  isLimited: boolean;
  force: boolean;
  terminal: Terminal;
}

/** @returns the paths, in the order of the list @throws the first error; saved files stay */
async function saveAll(files: LinkFile[], saving: Saving): Promise<string[]> {
  const { recipient, work, out, isLimited, force, terminal } = saving;
  const there = new Set<LinkFile>();
  for (const file of files) {
    if (await isThere(file, out)) there.add(file);
  }
  const missing = files.filter((file) => !there.has(file));
  if (isLimited && missing.some(({ size }) => size > 0)) {
    await recipient.take();
    if (recipient.lease !== null) await work.writeLease(recipient.lease);
  }
  const paths = new Map([...there].map((file) => [file, pathOf(file.name, out)]));
  const bytesThere = new Map<LinkFile, number>();
  const totalBytes = missing.reduce((sum, { size }) => sum + size, 0);
  const reporter = new ProgressReporter(totalBytes, (progress) => terminal.progress(progress));
  const save = async (file: LinkFile) => {
    const part = work.partOf({ stream: file.n, at: 0 });
    const path = await savePlain(recipient, file, { out, part, force }, (bytes) => {
      bytesThere.set(file, bytes);
      reporter.update([...bytesThere.values()].reduce((sum, more) => sum + more, 0));
    });
    paths.set(file, path);
  };
  try {
    const { small = [], large = [] } = Object.groupBy(missing, ({ size }) => (size > SMALL_BYTES ? "large" : "small"));
    await inParallel(small, AT_ONCE, save);
    await inParallel(large, 1, save);
  } finally {
    reporter.stop();
  }
  for (const file of there) terminal.note(`${pathOf(file.name, out)} is there already`);
  return files.map((file) => paths.get(file) ?? "");
}

/** @throws the first error, after all calls of `run` that had begun have ended */
async function inParallel<Item>(items: Item[], limit: number, run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  let hasFailed = false;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined && !hasFailed; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, work));
  for (const result of ended) if (result.status === "rejected") throw result.reason;
}

/**
 * Makes a stranger's file name safe on every system: on Windows, a colon would lead to another drive, or into a hidden
 * stream of a file.
 * @param isSingle the link leads to one file, whose name not every system may be able to hold
 * @returns a path below the folder that files are saved into
 * @throws Failure `damaged` for a file of a transfer whose path is not as the sender's program makes paths
 */
export function localName(name: string, isSingle: boolean): string {
  if (isSingle) return portableName(safeFilename(name));
  if (!checkPath(name)) throw new Failure(EXIT.damaged, `The server names a file "${name}", which is no name.`);
  return name;
}
