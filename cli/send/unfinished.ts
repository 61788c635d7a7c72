import { createHash } from "node:crypto";
import { rm, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { checkPath } from "#domain/transfers/paths.ts";
import { DAY_MS } from "#domain/units.ts";
import type { SealingPorts } from "#engine/ports.ts";
import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { hasCode } from "../../opener/files.ts";
import { EXIT, Failure } from "../failure.ts";
import { stateFolder, readPrivateFile, writePrivateFile } from "../kept-files.ts";

/** Remembers the upload key of a list of paths, so that the same command resumes the same upload. */
export class Unfinished {
  readonly #path: string;

  /** @param owner the API key that sends @param paths as the person gave them */
  constructor(owner: string, paths: readonly string[]) {
    const name = [owner, ...paths.map((path) => resolve(path))].join("\0");
    this.#path = join(stateFolder(), "uploads", createHash("sha256").update(name).digest("hex"));
  }

  /** @returns the upload key that was kept; null without one */
  async read(): Promise<string | null> {
    return (await readPrivateFile(this.#path))?.toString() ?? null;
  }

  async keep(uploadKey: string): Promise<void> {
    await writePrivateFile(this.#path, uploadKey);
  }

  async forget(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** How long the keys of an unfinished upload are kept. The server forgets such an upload earlier. */
const KEPT_MS = 7 * DAY_MS;

export type KeptLinks = SealingPorts["links"] & {
  /** Waits for all writes, because the engine does not. */
  settle(): Promise<void>;
};

/** The keys of unfinished sealed uploads, needed to resume an upload. The keys of a finished upload are in its link. */
export function keptLinks(folder = join(stateFolder(), "links")): KeptLinks {
  const pathOf = (downloadId: string) => join(folder, checkName(encodeURIComponent(downloadId)));
  const read = async (path: string) => {
    const content = await readPrivateFile(path);
    return content === null ? null : (deserialize(content) as KeptLink);
  };
  const writing = new Set<Promise<void>>();
  const write = async (work: () => Promise<void>) => {
    const written = work().finally(() => writing.delete(written));
    writing.add(written);
    await written;
  };
  const forget = (downloadId: string) => rm(pathOf(downloadId), { force: true });
  return {
    find: async (downloadId) => await read(pathOf(downloadId)),
    findUnfinished: async (fingerprint, userId) => {
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const { mtimeMs } = await stat(path);
        if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { force: true });
        const link = await read(path);
        if (link?.fingerprint === fingerprint && link.userId === userId) return link;
      }
      return null;
    },
    keep: (link) => write(() => writePrivateFile(pathOf(link.downloadId), serialize(link))),
    change: (downloadId, change) =>
      write(async () => {
        const link = await read(pathOf(downloadId));
        if (link === null) return;
        if (change.fingerprint === null) await forget(downloadId);
        else await writePrivateFile(pathOf(downloadId), serialize({ ...link, ...change }));
      }),
    forget: (downloadId) => write(() => forget(downloadId)),
    settle: async () => {
      do {
        // A write that follows on one that has just ended begins in this turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.allSettled(writing);
      } while (writing.size > 0);
    },
  };
}

/** Checks the name of a link from the server. @throws Failure `fault` for a name that would lead out of the folder */
function checkName(name: string): string {
  if (!checkPath(name)) throw new Failure(EXIT.fault, `The server names an upload "${name}", which is no name.`);
  return name;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
