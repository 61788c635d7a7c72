import { isUtf8 } from "node:buffer";
import { closeSync, constants, openAsBlob, openSync, type Dirent, type Stats } from "node:fs";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ChosenItem } from "#engine/transfer/transfer-list.ts";
import { hasCode, NO_FOLLOW } from "../../opener/files.ts";
import { EXIT, Failure, wordsOf } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

const IGNORE_FILE = ".mayflyignore";
/** Node writes this character for bytes of a name that are not UTF-8. */
const NO_UTF8 = "\uFFFD";
/** O_NONBLOCK, because opening a pipe would wait for its other end. Windows has no such flag. */
const READ = constants.O_RDONLY | NO_FOLLOW | ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0);

/** Reasons why entries of a folder are not sent, as the terminal names them. */
const REASONS = {
  special: "Symbolic links, devices and pipes",
  unreadable: "Files and folders that cannot be read",
  misnamed: "Files and folders whose names are no UTF-8",
} as const;

type Reason = keyof typeof REASONS;

interface Skipped {
  reason: Reason;
  path: string;
}

export interface Collected {
  items: ChosenItem[];
  /** The file, if the only given path is a file. */
  single: File | null;
}

/**
 * Finds the files below paths. Each file is opened once now, to report unreadable files early, and read when sent.
 * @param terminal gets a sentence for each reason why parts of a folder are not sent
 * @throws Failure `usage` for a path that does not exist, cannot be read, or is neither a file nor a folder
 */
export async function collect(paths: readonly string[], terminal: Pick<Terminal, "note">): Promise<Collected> {
  const items: ChosenItem[] = [];
  const skipped: Skipped[] = [];
  let single: File | null = null;
  for (const path of paths) {
    const found = await find(path);
    const name = basename(resolve(path));
    if (found.isDirectory()) await collectFolder(path, name, { items, skipped });
    else {
      const file = await openFile(path, found).catch((error: unknown) => {
        throw unreadable(path, error);
      });
      items.push({ path: name, file });
      if (paths.length === 1) single = file;
    }
  }
  for (const text of describeSkipped(skipped)) terminal.note(text);
  return { items, single };
}

async function find(path: string): Promise<Stats> {
  const found = await lstat(path).catch((error: unknown) => {
    if (path.includes(NO_UTF8)) throw new Failure(EXIT.usage, `The name "${path}" is no UTF-8: give it another one.`);
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) throw new Failure(EXIT.usage, `There is no "${path}".`);
    throw unreadable(path, error);
  });
  if (found.isSymbolicLink())
    throw new Failure(EXIT.usage, `"${path}" is a symbolic link, and those are not followed.`);
  if (!found.isFile() && !found.isDirectory()) throw new Failure(EXIT.usage, `"${path}" is no file and no folder.`);
  return found;
}

function unreadable(path: string, error: unknown): Failure {
  return new Failure(EXIT.usage, `"${path}" cannot be read: ${wordsOf(error)}.`);
}

/** @param name of the folder, as recipients see it @throws Failure `usage` if the root folder itself cannot be read */
async function collectFolder(
  root: string,
  name: string,
  { items, skipped }: { items: ChosenItem[]; skipped: Skipped[] },
): Promise<void> {
  let isLeftOut: ReturnType<typeof readIgnoreRules> | null = null;
  const prefix = name === "" ? "" : `${name}/`;
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readFolder(join(root, folder)).catch((error: unknown) => {
      if (folder === "") throw unreadable(root, error);
      return null;
    });
    if (entries === null) {
      skipped.push({ reason: "unreadable", path: join(root, folder) });
      continue;
    }
    isLeftOut ??= readIgnoreRules(await readIgnoreFile(root));
    let isEmpty = true;
    for (const entry of entries) {
      const entryName = entry.name.toString();
      const below = folder === "" ? entryName : `${folder}/${entryName}`;
      if (entryName === IGNORE_FILE || isLeftOut(below, entry.isDirectory())) continue;
      const path = join(root, below);
      const found = await openEntry(entry, path);
      if (typeof found === "string") {
        skipped.push({ reason: found, path });
        continue;
      }
      if (found === null) folders.push(below);
      else items.push({ path: prefix + below, file: found });
      isEmpty = false;
    }
    if (isEmpty && prefix + folder !== "") items.push({ path: (prefix + folder).replace(/\/$/, ""), file: null });
  }
}

/** Names are read as bytes, because a name need not be UTF-8. */
function readFolder(path: string): Promise<Dirent<Buffer>[]> {
  return readdir(path, { withFileTypes: true, encoding: "buffer" });
}

/** @returns null for a folder; the reason if the entry is not sent. An entry that was just deleted is "unreadable". */
async function openEntry(entry: Dirent<Buffer>, path: string): Promise<File | Reason | null> {
  if (!entry.isFile() && !entry.isDirectory()) return "special";
  if (!isUtf8(entry.name)) return "misnamed";
  if (entry.isDirectory()) return null;
  try {
    return await openFile(path, await lstat(path));
  } catch {
    return "unreadable";
  }
}

const paths = new WeakMap<File, string>();

/** Opens a file for a later upload. Reading fails once its date or size has changed. @throws Error if unreadable */
async function openFile(path: string, { mtimeMs }: Stats): Promise<File> {
  // Creating a blob does not open the file. The sync calls take a tenth of the time for ten thousand files.
  closeSync(openSync(path, READ));
  const file = new File([await openAsBlob(path)], basename(path), { lastModified: Math.trunc(mtimeMs) });
  paths.set(file, path);
  return file;
}

/**
 * @returns a version that changes with each write to the file, even when the file's date is set back, since nobody can
 * set `ctime` @param file of `collect` @throws Error for a deleted file
 */
export async function versionOf(file: File): Promise<string | null> {
  const path = paths.get(file);
  if (path === undefined) return null;
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** @throws Failure `usage` for an unreadable file: without the rules, files that the rules leave out would be sent */
async function readIgnoreFile(folder: string): Promise<string> {
  const path = join(folder, IGNORE_FILE);
  try {
    return await readFile(path, { encoding: "utf8", flag: READ & ~NO_FOLLOW });
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw unreadable(path, error);
  }
}

/** @returns a sentence for each reason */
function describeSkipped(skipped: readonly Skipped[]): string[] {
  return Object.entries(REASONS).flatMap(([reason, words]) => {
    const paths = skipped.filter((one) => one.reason === reason).map(({ path }) => path);
    const [first] = paths.sort();
    return first === undefined ? [] : [`${words} are not sent: ${paths.length}. The first is "${first}".`];
  });
}

interface Rule {
  pattern: RegExp;
  /** Whether the rule starts with `!`, and takes back files that an earlier rule left out. */
  isKept: boolean;
  isForFolders: boolean;
}

/**
 * Reads a `.mayflyignore`: a pattern in each line as in a `.gitignore`, with `*`, `?`, `**`, `!` and `#`.
 * @returns whether a path below the file's folder is left out; the last pattern that matches decides
 */
export function readIgnoreRules(text: string): (path: string, isFolder: boolean) => boolean {
  const rules = text.split(/\r?\n/).flatMap(readRule);
  return (path, isFolder) => {
    const last = rules.findLast(({ pattern, isForFolders }) => (isFolder || !isForFolders) && pattern.test(path));
    return last !== undefined && !last.isKept;
  };
}

function readRule(line: string): Rule[] {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return [];
  const isKept = text.startsWith("!");
  const isForFolders = text.endsWith("/");
  const body = text.slice(isKept ? 1 : 0, isForFolders ? -1 : undefined);
  // A slash before the end of a pattern binds the pattern to the folder of the ignore file.
  const isBound = body.includes("/");
  const source = body.replace(/^\//, "").replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]/g, sourceOf);
  return [{ pattern: new RegExp(`^${isBound ? "" : "(?:.*/)?"}${source}$`, "u"), isKept, isForFolders }];
}

function sourceOf(piece: string): string {
  switch (piece) {
    case "**/":
      return "(?:.*/)?";
    case "**":
      return ".*";
    case "*":
      return "[^/]*";
    case "?":
      return "[^/]";
    default:
      return piece.replace(/[\\^$.|+()[\]{}/]/, String.raw`\$&`);
  }
}
