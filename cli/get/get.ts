import { mkdir } from "node:fs/promises";
import { safeFilename } from "#domain/file-names.ts";
import { checkPath } from "#domain/transfers/paths.ts";
import { portableName } from "#domain/transfers/portable-paths.ts";
import { formatBytes, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { ApiError } from "#engine/api-error.ts";
import { ProgressReporter } from "#engine/progress.ts";
import { checkName } from "../../opener/file-names.ts";
import { openLink } from "../../opener/open-link.ts";
import { askPassword, readPassword } from "../../opener/password.ts";
import { WorkFolder } from "../../opener/work-folder.ts";
import { EXIT, Failure } from "../failure.ts";
import { requireLinkUrl } from "../links.ts";
import { fetchDirectly } from "../net/fetch.ts";
import { onlyOne, readCount, readMinutes, usage, type OptionsOf } from "../options.ts";
import { canAsk, Terminal, writeResult } from "../terminal.ts";
import { Recipient, type LinkFile, type LinkInfo } from "./recipient.ts";
import { Saver } from "./saver.ts";
import { SenderWait } from "../../opener/sender-wait.ts";

type Values = OptionsOf<"get">["values"];

/** The pause between two looks at a transfer that is still being uploaded. A long list takes more calls. */
const POLL_MS = 5 * SECOND_MS;
const POLL_MS_PER_FILE = SECOND_MS / 100;
const MAX_POLL_FAILURES = 4;
/** The default of `--wait`. */
const WAIT_MINUTES = 30;

/** @throws the errors that `describeError` describes */
export async function get({ values, positionals }: OptionsOf<"get">): Promise<void> {
  const link = onlyOne(positionals, "one link");
  const address = requireLinkUrl(link);
  const terminal = new Terminal(values.quiet ?? false);
  const numbers = (values.file ?? []).map((text) => readCount("--file", text));
  const givePassword = values["password-stdin"] ? readPassword : askOnTerminal;
  const waitMs = (values.wait === undefined ? WAIT_MINUTES : readMinutes("--wait", values.wait)) * MINUTE_MS;
  const out = values.out ?? ".";
  const work = new WorkFolder(out, address.downloadId);
  const recipient = new Recipient(address, await work.readLease(), givePassword);
  const info = await recipient.readInfo();
  if (info === null) {
    await getSealed(link, values, numbers, terminal);
    return;
  }
  const files = await listFiles(recipient, info);
  if (values.list) {
    writeResult(values, { ...info, items: files }, ({ items }) => items.map(rowOf));
    return;
  }
  const chosen = chooseFiles(files, numbers, values.out !== undefined);
  const isArriving = info.state === "uploading";
  const isTransfer = !isSingle(info);
  const canWait = waitMs > 0 && (isTransfer || info.followUrl !== undefined);
  if (isArriving && !canWait && chosen.some(({ state }) => state !== "stored")) {
    throw new Failure(EXIT.limit, "The files are still arriving. Try again when the sender has finished.");
  }
  await mkdir(out, { recursive: true });
  await work.open();
  const isLimited = typeof info.guards?.maxDownloads === "number";
  const wait = new SenderWait(waitMs, {
    note: (text) => terminal.note(text),
    tooSilent: (time) => new Failure(EXIT.limit, `The sender has sent nothing for ${time}. The same command goes on.`),
  });
  const saver = new Saver({
    recipient,
    work,
    out,
    isLimited,
    isTransfer,
    force: values.force ?? false,
    terminal,
    wait,
  });
  try {
    if (isArriving && canWait) wait.start();
    await saver.save(takeable(info, chosen), chosen);
    const rest = { saver, wait, chosen, isFinal: numbers.length > 0, mayHaveDot: values.out !== undefined };
    const saved = isArriving && canWait && isTransfer ? await saveRest(recipient, rest) : chosen;
    await work.forgetLease();
    writeResult(values, { files: saved.map(({ n }) => saver.pathOf(n) ?? "") }, filesOf);
  } catch (error) {
    throw isArriving ? describeEnd(error) : error;
  } finally {
    wait.stop();
    saver.stop();
    terminal.clear();
    await work.close();
  }
}

interface Rest {
  saver: Saver;
  wait: SenderWait;
  /** The wanted files that were listed at first. */
  chosen: readonly LinkFile[];
  /** Whether only the chosen files are wanted, and not those that the sender adds. */
  isFinal: boolean;
  /** Whether names may begin with a dot. */
  mayHaveDot: boolean;
}

/**
 * Saves the files of a transfer as they arrive. @returns all wanted files
 * @throws as `Saver.save`; Failure `gone` for a removed file, `limit` when the sender has been silent for too long
 */
async function saveRest(
  recipient: Recipient,
  { saver, wait, chosen, isFinal, mayHaveDot }: Rest,
): Promise<readonly LinkFile[]> {
  const numbers = new Set(chosen.map(({ n }) => n));
  let wanted = chosen;
  let failures = 0;
  for (;;) {
    if (isFinal && wanted.every(({ n }) => saver.pathOf(n) !== undefined)) return wanted;
    await wait.pause(POLL_MS + wanted.length * POLL_MS_PER_FILE);
    const listed = await readAgain(recipient).catch((error: unknown) => {
      failures += 1;
      if (failures === MAX_POLL_FAILURES || !isTemporary(error)) throw error;
      return null;
    });
    if (listed === null) continue;
    failures = 0;
    wait.hearPercent(listed.info.progress ?? 0);
    wanted = isFinal ? listed.files.filter(({ n }) => numbers.has(n)) : listed.files;
    if (isFinal && wanted.length < numbers.size) throw new Failure(EXIT.gone, "The sender has removed a file.");
    for (const { name } of wanted) checkName(name, mayHaveDot);
    await saver.save(takeable(listed.info, wanted), wanted);
    if (listed.info.state === "ready") return wanted;
  }
}

/** The information is read before the list: if the transfer is ready there, the list is complete. */
async function readAgain(recipient: Recipient): Promise<{ info: LinkInfo; files: LinkFile[] }> {
  const info = await recipient.readInfo();
  if (info === null) throw new Failure(EXIT.fault, "The server says that this link has become an encrypted one.");
  return { info, files: await listFiles(recipient, info) };
}

function isTemporary(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof ApiError && (error.status >= 500 || error.status === 429));
}

/** @param error of an upload that was under way @returns the error for the person */
function describeEnd(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.body.reason === "FILE_CHANGED") {
    return new Failure(EXIT.changed, "The file has changed since the sender began. Ask for it again.");
  }
  if (error.status !== 404) return error;
  return new Failure(EXIT.gone, "The sender has cancelled the upload, or it has failed.");
}

function isSingle({ files, title }: LinkInfo): boolean {
  return files === 1 && (title === undefined || title === "");
}

async function listFiles(recipient: Recipient, info: LinkInfo): Promise<LinkFile[]> {
  const single = isSingle(info);
  const followUrl = single && info.followUrl !== undefined ? { followUrl: info.followUrl } : {};
  const files = await recipient.listFiles();
  return files.map((file) => ({ ...file, ...followUrl, name: localName(file.name, single) }));
}

/** @returns the files whose bytes can be asked for */
function takeable({ state }: LinkInfo, files: readonly LinkFile[]): readonly LinkFile[] {
  return state === "ready" ? files : files.filter((file) => file.state === "stored" || file.followUrl !== undefined);
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
      waitMinutes: values.wait === undefined ? undefined : readMinutes("--wait", values.wait),
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
