import { mkdir, rm } from "node:fs/promises";
import type { SealedFile } from "#domain/seal/manifest.ts";
import { SealError, type SealProblem } from "#domain/seal/seal-error.ts";
import { readLink } from "./link.ts";
import { HELP, readOptions, type Options } from "./options.ts";
import { askPassword, readPassword } from "./password.ts";
import { EXIT, Problem, type ExitCode } from "./problem.ts";
import { isThere, pathOf, saveFile } from "./save-file.ts";
import { listing, Progress, shown, visible } from "./show.ts";
import { openTransfer, type Transfer } from "./transfer.ts";
import { WORK_FOLDER, WorkFolder } from "./work-folder.ts";

const EXIT_OF: Record<SealProblem, ExitCode> = {
  damaged: EXIT.damaged,
  manifest: EXIT.damaged,
  version: EXIT.key,
  wrongKey: EXIT.key,
};

process.exitCode = await run(process.argv.slice(2));

async function run(args: string[]): Promise<ExitCode> {
  try {
    const options = readOptions(args);
    if (options === null) console.log(HELP);
    else await open(options);
    return EXIT.done;
  } catch (error) {
    console.error(shown(error instanceof Error ? error.message : String(error)));
    if (error instanceof Problem) return error.exitCode;
    return error instanceof SealError ? EXIT_OF[error.problem] : EXIT.failed;
  }
}

async function open(options: Options): Promise<void> {
  const link = readLink(options.link);
  const out = options.out ?? ".";
  const work = new WorkFolder(out, link.downloadId);
  const transfer = await openTransfer(link, work, options.passwordStdin ? readPassword : askPassword);
  if (options.list) console.log(listing(transfer));
  else await save(transfer, chosenFiles(transfer, options), out, work);
  if (transfer.unlisted > 0)
    console.error(`The server holds ${countFiles(transfer.unlisted)} that the list does not name.`);
}

/** @throws Problem `usage` for a number that the list does not have, or a name that could change settings */
function chosenFiles({ manifest: { files } }: Transfer, options: Options): SealedFile[] {
  const chosen = options.files.map((number) => {
    const file = files[number - 1];
    if (!file) throw new Problem(EXIT.usage, `There is no file ${number}: the list ends at ${files.length}.`);
    return file;
  });
  const all = options.files.length === 0 ? files : chosen;
  for (const { name } of all) checkName(visible(name), options.out !== null);
  return all;
}

function checkName(name: string, mayHaveDot: boolean): void {
  if (name.toLowerCase().startsWith(WORK_FOLDER))
    throw new Problem(EXIT.damaged, `"${name}" is a name of this program's own files.`);
  if (!mayHaveDot && name.split("/").some((segment) => segment.startsWith(".")))
    throw new Problem(
      EXIT.usage,
      `"${name}" begins with a dot, and programs take their settings from such files. Choose a folder with --out, or other files with --file.`,
    );
}

async function save(transfer: Transfer, files: SealedFile[], out: string, work: WorkFolder): Promise<void> {
  if (!transfer.manifest.final)
    throw new Problem(EXIT.notNow, "This transfer is still arriving. Try again when the sender has finished.");
  await mkdir(out, { recursive: true });
  await work.open();
  try {
    await saveAll(transfer, files, out, work);
  } finally {
    await work.close();
  }
}

async function saveAll(transfer: Transfer, files: SealedFile[], out: string, work: WorkFolder): Promise<void> {
  const there = new Set<SealedFile>();
  for (const file of files) if (await isThere(file, out)) there.add(file);
  const takesBytes = files.some((file) => file.size > 0 && !there.has(file) && !transfer.isRemoved(file.stream));
  if (transfer.isLimited && takesBytes) await transfer.take();
  const removed: SealedFile[] = [];
  for (const file of files) {
    if (there.has(file)) console.log(`${shown(pathOf(file, out))} is there already`);
    else if (!(await saveOne(transfer, file, out, work))) removed.push(file);
  }
  await work.forgetLease();
  for (const { name } of removed) console.error(`${shown(name)} was removed by the sender`);
  if (removed.length === files.length) throw new Problem(EXIT.gone, "Nothing is left to save.");
}

/** @returns false for a file that the sender has removed */
async function saveOne(transfer: Transfer, file: SealedFile, out: string, work: WorkFolder): Promise<boolean> {
  if (transfer.isRemoved(file.stream)) return false;
  const progress = new Progress(file);
  const part = work.partOf(file);
  try {
    const path = await saveFile(transfer, file, out, part, (bytes) => {
      progress.update(bytes);
    });
    progress.clear();
    console.log(shown(path));
  } catch (error) {
    const isGone = error instanceof Problem && error.exitCode === EXIT.gone;
    if (!isGone || !(await transfer.askIfRemoved(file.stream))) throw error;
    await rm(part, { force: true });
    return false;
  } finally {
    progress.clear();
  }
  if (transfer.isLimited && file.size > 0) await transfer.server.reportOpened(transfer.entryOf(file.stream));
  return true;
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
