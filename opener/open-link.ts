import { mkdir, rm } from "node:fs/promises";
import type { ManifestFile } from "#domain/seal/manifest.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { checkName, isThere, pathOf } from "./file-names.ts";
import type { Options } from "./options.ts";
import { askPassword, readPassword } from "./password.ts";
import { EXIT, Problem } from "./problem.ts";
import { saveFile } from "./save-file.ts";
import { SenderWait } from "./sender-wait.ts";
import type { Fetch } from "./server.ts";
import { listing } from "./show.ts";
import { readLink, openTransfer, type Transfer } from "./transfer.ts";
import { WorkFolder } from "./work-folder.ts";

/** Functions that get the list, results and progress of opening a link. */
export interface Report {
  listed(text: string): void;
  saved(path: string): void;
  /** Called for a file that the folder has already. */
  there(path: string): void;
  /** @param text may hold names that the sender chose */
  note(text: string): void;
  progressOf(file: { name: string; size: number }): { update(bytes: number): void; clear(): void };
}

interface Surroundings {
  fetch: Fetch;
  report: Report;
}

interface Saving {
  transfer: Transfer;
  out: string;
  work: WorkFolder;
  report: Report;
  force?: boolean;
  wait: SenderWait;
}

/** The longest silence of a sender, if the options name none. */
const WAIT_MINUTES = 30;

/** Lists or saves the files of a sealed link. @throws Problem; SealError for bytes that are not the sender's */
export async function openLink(options: Options, { fetch, report }: Surroundings): Promise<void> {
  const link = readLink(options.link);
  const out = options.out ?? ".";
  const work = new WorkFolder(out, link.downloadId);
  const transfer = await openTransfer(link, work, options.passwordStdin ? readPassword : askPassword, fetch);
  if (options.list) report.listed(listing(transfer));
  else {
    const files = chosenFiles(transfer, options);
    const waitMs = (options.waitMinutes ?? WAIT_MINUTES) * MINUTE_MS;
    if (!transfer.manifest.final && (!transfer.isFollowed || waitMs === 0))
      throw new Problem(EXIT.notNow, "This transfer is still arriving. Try again when the sender has finished.");
    const wait = new SenderWait(waitMs, {
      note: (text) => report.note(text),
      tooSilent: (time) =>
        new Problem(EXIT.notNow, `The sender has sent nothing for ${time}. Run the same command again to go on.`),
    });
    await save({ ...options, transfer, out, work, report, wait }, files);
  }
  if (transfer.unlisted > 0)
    report.note(`The server holds ${countFiles(transfer.unlisted)} that the list does not name.`);
}

/** @throws Problem `usage` for a number that is not in the list, or a name that could change settings */
function chosenFiles({ manifest: { files } }: Transfer, options: Options): ManifestFile[] {
  const chosen = options.files.map((number) => {
    const file = files[number - 1];
    if (!file) throw new Problem(EXIT.usage, `There is no file ${number}: the list ends at ${files.length}.`);
    return file;
  });
  const all = options.files.length === 0 ? files : chosen;
  for (const { name } of all) checkName(name, options.out !== null);
  return all;
}

async function save(saving: Saving, files: ManifestFile[]): Promise<void> {
  const { transfer, out, work, wait } = saving;
  await mkdir(out, { recursive: true });
  await work.open();
  try {
    if (transfer.isFollowed) wait.start();
    await saveAll(saving, files);
  } finally {
    wait.stop();
    await work.close();
  }
}

async function saveAll(saving: Saving, files: ManifestFile[]): Promise<void> {
  const { transfer, out, work, report } = saving;
  const there = new Set<ManifestFile>();
  for (const file of files) if (await isThere(file, out)) there.add(file);
  const takesBytes = files.some((file) => file.size > 0 && !there.has(file) && !transfer.isRemoved(file.stream));
  if (transfer.isLimited && takesBytes) await transfer.take();
  const removed: ManifestFile[] = [];
  for (const file of files) {
    if (there.has(file)) report.there(pathOf(file.name, out));
    else if (!(await saveOne(saving, file))) removed.push(file);
  }
  await work.forgetLease();
  for (const { name } of removed) report.note(`${name} was removed by the sender`);
  if (removed.length === files.length) throw new Problem(EXIT.gone, "Nothing is left to save.");
}

/** @returns false for a file that the sender has removed */
async function saveOne(saving: Saving, file: ManifestFile): Promise<boolean> {
  const { transfer, out, work, report, force = false, wait } = saving;
  if (transfer.isRemoved(file.stream)) return false;
  const progress = report.progressOf(file);
  const part = work.partOf(file);
  try {
    const path = await saveFile(transfer, file, { out, part, force, wait }, (bytes) => {
      progress.update(bytes);
      wait.hearBytes(bytes, file.size);
    });
    progress.clear();
    report.saved(path);
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
