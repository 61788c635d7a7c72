import { constants } from "node:fs";
import { lstat, open, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ManifestFile } from "#domain/seal/manifest.ts";
import { hasCode, makeFolders, NO_FOLLOW } from "./files.ts";
import { EXIT, Problem } from "./problem.ts";

/** The start of a work folder's name. No file of a transfer may have a path that begins so. */
export const WORK_FOLDER = ".mayfly-";
/** Only the file's owner may read the lease: together with the link it gives access to a download that was taken. */
const LEASE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Holds a transfer's unfinished files and the lease of a taken download, so that a resumed download counts once. */
export class WorkFolder {
  readonly #out: string;
  readonly #name: string;
  readonly #path: string;

  /** @param out the folder that files are saved into */
  constructor(out: string, downloadId: string) {
    this.#out = out;
    this.#name = WORK_FOLDER + downloadId;
    this.#path = join(out, this.#name);
  }

  /** Creates and locks the folder for this process. @throws Problem `notNow` while another process has the lock */
  async open(): Promise<void> {
    await makeFolders(this.#out, [this.#name], FOLDER_MODE);
    if (await this.#lock()) return;
    const process = await this.#process();
    if (process !== null && isRunning(process))
      throw new Problem(EXIT.notNow, `Process ${process} is saving this transfer into the same folder.`);
    // The process with this lock was killed.
    await rm(this.#lockPath, { force: true });
    if (!(await this.#lock())) throw new Problem(EXIT.notNow, "Another process has just begun to save this transfer.");
  }

  /** Unlocks the folder. Unfinished files and the lease stay for the next run. */
  async close(): Promise<void> {
    await rm(this.#lockPath, { force: true });
    await rmdir(this.#path).catch(() => null);
  }

  /** @returns the path of an unfinished file */
  partOf({ stream, at }: Pick<ManifestFile, "stream" | "at">): string {
    return join(this.#path, `${stream}-${at}`);
  }

  /** @returns the stored lease; null without one */
  async readLease(): Promise<string | null> {
    const folder = await lstat(this.#path).catch(() => null);
    if (!folder?.isDirectory()) return null;
    const flag = constants.O_RDONLY | NO_FOLLOW;
    const text = await readFile(this.#leasePath, { encoding: "utf8", flag }).catch(() => "");
    return /^[\w.-]+$/.test(text) ? text : null;
  }

  async writeLease(lease: string): Promise<void> {
    const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_FOLLOW;
    await writeFile(this.#leasePath, lease, { mode: LEASE_MODE, flag });
  }

  async forgetLease(): Promise<void> {
    await rm(this.#leasePath, { force: true });
  }

  get #leasePath(): string {
    return join(this.#path, "lease");
  }

  get #lockPath(): string {
    return join(this.#path, "lock");
  }

  /** @returns false when the folder is locked already */
  async #lock(): Promise<boolean> {
    try {
      const handle = await open(this.#lockPath, "wx");
      await handle.writeFile(String(process.pid));
      await handle.close();
      return true;
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false;
      throw error;
    }
  }

  /** @returns the id of the process that has the lock */
  async #process(): Promise<number | null> {
    const text = await readFile(this.#lockPath, { encoding: "utf8", flag: constants.O_RDONLY | NO_FOLLOW });
    return /^[1-9]\d*$/.test(text) ? Number(text) : null;
  }
}

function isRunning(processNumber: number): boolean {
  try {
    process.kill(processNumber, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
