import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Store } from "../bench/support/store.ts";
import type { LocalServer } from "../scripts/local-server.ts";
import { Client, HttpError } from "./client.ts";
import type { Tally } from "./lane.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { sha256 } from "./soaked-upload.ts";
import { sendInOnePut } from "./whole-uploads.ts";

const PASSWORD = "a good password";
const MAX_BYTES = 200_000;
/** The number of files that an account uploads before it is deleted or another account takes its place. */
const FILES_OF_AN_ACCOUNT = 6;
const CRON_PAUSE_MS = 1000;

interface SentFile {
  downloadId: string;
  uploadId: string;
  sha256: string;
}

/** All deletions must be done after this many runs of the cron. */
const LAST_RUNS = 20;

export interface Deletions {
  files: number;
  accounts: number;
  /** The number of checks after kills that links of deleted files are gone, and then that links of kept files work. */
  goneChecked: number;
  keptChecked: number;
}

/** Makes accounts that upload files, keep some files, delete others, and may be deleted themselves. */
export class DeletionLane {
  readonly #server: LocalServer;
  readonly #seed: string;
  readonly #tally: Tally;
  readonly #deletions: Deletions;
  readonly #kept: SentFile[] = [];
  /** The files that the present account has uploaded and not deleted. */
  #keeping: SentFile[] = [];
  readonly #gone: SentFile[] = [];
  #accounts = 0;

  constructor(server: LocalServer, seed: string, tally: Tally, deletions: Deletions) {
    this.#server = server;
    this.#seed = seed;
    this.#tally = tally;
    this.#deletions = deletions;
  }

  /** Whether one file was deleted and another file was not: after a kill, both are checked. */
  get hasAcknowledged(): boolean {
    return this.#gone.length > 0 && this.#kept.length + this.#keeping.length > 0;
  }

  async work(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) await this.finish(isKilled);
  }

  /** The life of one account. A call that a kill left without an answer is not checked. */
  async finish(isKilled: () => boolean): Promise<void> {
    this.#accounts += 1;
    const name = `${this.#seed}-${this.#accounts}`;
    const draw = new Seeded(name);
    this.#keeping = [];
    try {
      const client = await this.#register(name);
      for (let file = 1; file <= FILES_OF_AN_ACCOUNT && !isKilled(); file += 1) {
        const fileName = `${name}-${file}.bin`;
        const bytes = seededBytes(fileName, draw.between(1, MAX_BYTES));
        const { uploadId, downloadId } = await sendInOnePut(client, { name: fileName, bytes });
        const sent = { uploadId, downloadId, sha256: sha256(bytes) };
        if (draw.between(0, 1) === 0) {
          this.#keeping.push(sent);
          continue;
        }
        await client.delete(`/api/files/${uploadId}`);
        this.#gone.push(sent);
        this.#deletions.files += 1;
      }
      if (isKilled() || draw.between(0, 1) === 0) {
        this.#kept.push(...this.#keeping.splice(0));
        return;
      }
      // Without an answer it is unknown whether the account was deleted, so its files are not checked.
      const leaving = this.#keeping.splice(0);
      await client.delete("/api/auth/account", { password: PASSWORD });
      this.#gone.push(...leaving);
      this.#deletions.accounts += 1;
    } catch (error) {
      this.#kept.push(...this.#keeping.splice(0));
      if (!isKilled()) this.#tally.problems.push(`${name}: ${String(error)}`);
    }
  }

  /** Checks after a restart that readers get no deleted file, and get every other file unchanged. */
  async check(): Promise<void> {
    for (const { downloadId } of this.#gone) {
      const response = await fetch(this.#contentUrl(downloadId));
      await response.arrayBuffer();
      if (response.status !== 410 && response.status !== 404)
        this.#tally.problems.push(`${downloadId} was deleted, and answers ${response.status}`);
      this.#deletions.goneChecked += 1;
    }
    for (const { downloadId, sha256: expected } of this.#kept) {
      const response = await fetch(this.#contentUrl(downloadId));
      const hash = createHash("sha256").update(new Uint8Array(await response.arrayBuffer()));
      if (!response.ok || hash.digest("hex") !== expected)
        this.#tally.problems.push(`${downloadId} was kept, and answers ${response.status}`);
      this.#deletions.keptChecked += 1;
    }
  }

  /** Checks at the end that storage has no object of a deleted file, and the objects of all other files. */
  async checkStore(): Promise<void> {
    const store = new Store(this.#server.origin);
    for (const { uploadId } of this.#gone)
      if (await store.has(`files/${uploadId}`)) this.#tally.problems.push(`${uploadId} was deleted, and is stored`);
    for (const { uploadId } of this.#kept)
      if (!(await store.has(`files/${uploadId}`))) this.#tally.problems.push(`${uploadId} was kept, and is not stored`);
  }

  #contentUrl(downloadId: string): string {
    return `${this.#server.origin}/api/files/download/${downloadId}/content`;
  }

  async #register(name: string): Promise<Client> {
    const response = await fetch(`${this.#server.origin}/api/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD }),
    });
    const text = await response.text();
    if (!response.ok) throw new HttpError("a registration", response.status, text);
    const [cookie = "", value = ""] = response.headers.getSetCookie()[0]?.split(";")[0]?.split(/=(.*)/s) ?? [];
    return new Client(this.#server.origin, { cookie: { name: cookie, value } });
  }
}

export class CronLane {
  readonly hasAcknowledged = true;
  readonly #server: LocalServer;
  readonly #tally: Tally;

  constructor(server: LocalServer, tally: Tally) {
    this.#server = server;
    this.#tally = tally;
  }

  async work(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) {
      await this.finish(isKilled);
      await wait(CRON_PAUSE_MS);
    }
  }

  async finish(isKilled: () => boolean): Promise<void> {
    try {
      await this.#server.runCron();
    } catch (error) {
      if (!isKilled()) this.#tally.problems.push(`the cron: ${String(error)}`);
    }
  }

  async check(): Promise<void> {
    // The end of the proof checks what the cron runs have done.
  }
}

/** Runs the cron until every started deletion is done. @throws Error if that takes too many runs */
export async function awaitDeletions(server: LocalServer): Promise<void> {
  for (let run = 1; run <= LAST_RUNS; run += 1) {
    await server.runCron();
    const [left] = await server.execute<{ n: number }>(
      `select (select count(*) from files where deleted_at is not null and s3_deleted_at is null)
        + (select count(*) from users where deleted_at is not null) as n`,
    );
    if (left?.n === 0) return;
  }
  throw new Error("what was deleted does not go");
}
