import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Store } from "../bench/support/store.ts";
import type { LocalServer } from "../scripts/local-server.ts";
import { Client, Refusal } from "./client.ts";
import type { Tally } from "./lane.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { sha256 } from "./soaked-upload.ts";
import { sendInOnePut } from "./whole-uploads.ts";

const PASSWORD = "a good password";
const MOST_BYTES = 200_000;
/** So many files an account sends, before it is deleted or another takes its place. */
const FILES_OF_AN_ACCOUNT = 6;
/** Between two runs of the cron. */
const CRON_PAUSE_MS = 1000;

interface SentFile {
  downloadId: string;
  uploadId: string;
  sha256: string;
}

/** Runs of the cron after which everything that was deleted has to be gone. */
const LAST_RUNS = 20;

/** What has come of deletions, for the report. */
export interface Deletions {
  /** Acknowledged deletions of files and of accounts. */
  files: number;
  accounts: number;
  /** Looks, after a kill, at a deleted file's link, which has to have ended, and at a kept one's, which has to work. */
  goneChecked: number;
  keptChecked: number;
}

/** People who upload, keep some files, delete others, and leave: their deletions are owed from the answer on. */
export class DeletionLane {
  /** A kill has nothing to wait for here. */
  readonly hasAcknowledged = true;
  readonly #server: LocalServer;
  readonly #seed: string;
  readonly #tally: Tally;
  readonly #deletions: Deletions;
  readonly #kept: SentFile[] = [];
  /** Files whose end was acknowledged. */
  readonly #gone: SentFile[] = [];
  #accounts = 0;

  constructor(server: LocalServer, seed: string, tally: Tally, deletions: Deletions) {
    this.#server = server;
    this.#seed = seed;
    this.#tally = tally;
    this.#deletions = deletions;
  }

  /** One account after another, until the server dies. */
  async work(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) await this.finish(isKilled);
  }

  /** The life of one account: what was neither kept nor deleted for sure when a kill came is owed nothing. */
  async finish(isKilled: () => boolean): Promise<void> {
    this.#accounts += 1;
    const name = `${this.#seed}-${this.#accounts}`;
    const draw = new Seeded(name);
    const kept: SentFile[] = [];
    try {
      const client = await this.#register(name);
      for (let file = 1; file <= FILES_OF_AN_ACCOUNT && !isKilled(); file += 1) {
        const fileName = `${name}-${file}.bin`;
        const bytes = seededBytes(fileName, draw.between(1, MOST_BYTES));
        const { uploadId, downloadId } = await sendInOnePut(client, { name: fileName, bytes });
        const sent = { uploadId, downloadId, sha256: sha256(bytes) };
        if (draw.between(0, 1) === 0) {
          kept.push(sent);
          continue;
        }
        await client.delete(`/api/files/${uploadId}`);
        this.#gone.push(sent);
        this.#deletions.files += 1;
      }
      if (isKilled() || draw.between(0, 1) === 0) {
        this.#kept.push(...kept);
        return;
      }
      // Whether an account whose deletion was not answered still is there nobody knows: its files are owed nothing.
      const leaving = kept.splice(0);
      await client.delete("/api/auth/account", { password: PASSWORD });
      this.#gone.push(...leaving);
      this.#deletions.accounts += 1;
    } catch (error) {
      this.#kept.push(...kept);
      if (!isKilled()) this.#tally.problems.push(`${name}: ${String(error)}`);
    }
  }

  /** After a restart: whether what was deleted is gone for readers, and what was not is there. */
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

  /** In the end: whether the objects of what was deleted are gone from the store, and the others there. */
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
    if (!response.ok) throw new Refusal("a registration", response.status, text);
    const [cookie = "", value = ""] = response.headers.getSetCookie()[0]?.split(";")[0]?.split(/=(.*)/s) ?? [];
    return new Client(this.#server.origin, { cookie: { name: cookie, value } });
  }
}

/** Runs the cron again and again, whatever goes on. */
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
    // It owes nothing: what it has to do is looked at in the end.
  }
}

/** Runs the cron until every deletion that has begun has ended. @throws Error when that does not come */
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
