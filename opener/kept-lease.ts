import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Only its owner may read it: whoever has the lease and the link reads under it. */
const MODE = 0o600;

/**
 * Remembers the right to download a limited link, so that a download that was broken off goes on as the same one and
 * does not count twice.
 */
export class KeptLease {
  readonly #path: string;

  constructor(folder: string, downloadId: string) {
    this.#path = join(folder, `.${downloadId}.lease`);
  }

  /** @returns null when there is none */
  async read(): Promise<string | null> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return /^[\w.-]+$/.test(text) ? text : null;
  }

  async write(lease: string): Promise<void> {
    await writeFile(this.#path, lease, { mode: MODE });
  }

  async forget(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
