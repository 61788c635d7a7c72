import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { stateFolder } from "../folders.ts";
import { readPrivateFile, writePrivateFile } from "../private-file.ts";

/** Remembers what a list of paths was when its upload began, so that the same command goes on with the same upload. */
export class Unfinished {
  readonly #path: string;

  /** @param owner the key that sends @param paths as the person gave them */
  constructor(owner: string, paths: readonly string[]) {
    const name = [owner, ...paths.map((path) => resolve(path))].join("\0");
    this.#path = join(stateFolder(), "uploads", createHash("sha256").update(name).digest("hex"));
  }

  /** @returns the mark that was kept; null without one */
  async read(): Promise<string | null> {
    return (await readPrivateFile(this.#path))?.toString() ?? null;
  }

  async keep(mark: string): Promise<void> {
    await writePrivateFile(this.#path, mark);
  }

  async forget(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
