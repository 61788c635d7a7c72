import { SPARE_COPIES } from "#domain/protection/link-protection.ts";
import { MIB } from "#domain/units.ts";
import type { FinishTransferAnswer, LinkProtectionNow, ListedFile, StartUploadAnswer } from "#domain/wire.ts";
import { uploadTransferByScript } from "../../bench/support/transfer-script.ts";
import { HttpError, type Client } from "../client.ts";
import { Seeded, seededBytes } from "../seeded.ts";
import { LossError } from "../soaked-upload.ts";
import type { GuardCounts } from "./counts.ts";
import type { StoredGate } from "./gate-files.ts";
import { codeOf, Recipient, type Tokens } from "./recipient.ts";

const CONTENT_TYPE = "application/octet-stream";
const FILES_OF_A_TRANSFER = 3;
const FIRST_LIMIT: [number, number] = [1, 12];

/** A file that recipients download. */
export interface Resource {
  /** The end of the file's address. */
  end: string;
  bytes: Uint8Array;
}

interface Place {
  id: string;
  downloadId: string;
  resources: Resource[];
}

/** A link with a download limit, and often a password, with its owner, who changes limit and password. */
export class GuardedLink {
  readonly downloadId: string;
  readonly resources: readonly Resource[];
  /** The ids of all leases that were ever seen as counted. */
  readonly counted = new Set<string>();
  /** Whether the link is closed: then nobody may download any more. */
  isOver = false;
  /** The tokens of one of the link's recipients. */
  tokens: Tokens = {};
  /** The tokens of a recipient of another link. */
  tokensOfAnother: Tokens = {};
  readonly #id: string;
  readonly #client: Client;
  readonly #origin: string;
  readonly #draw: Seeded;
  readonly #counts: GuardCounts;
  #limit: number;
  /** The highest limit since the moment at which the counted and held downloads were last within the limit. */
  #highest: number;
  #highestOfCopies: number;
  /** The passwords that may be right, the likeliest first; none for a link without a password. */
  #passwords: string[];
  /** The change that was sent, and has no answer yet. */
  #pending: { maxDownloads?: number; password?: string } | null = null;

  private constructor(client: Client, origin: string, draw: Seeded, counts: GuardCounts, place: Place) {
    this.downloadId = place.downloadId;
    this.resources = place.resources;
    this.#id = place.id;
    this.#client = client;
    this.#origin = origin;
    this.#draw = draw;
    this.#counts = counts;
    this.#limit = draw.between(...FIRST_LIMIT);
    this.#highest = this.#limit;
    this.#highestOfCopies = this.#limit;
    this.#passwords = draw.between(0, 2) === 0 ? [] : [`password ${draw.between(0, 1e9)}`];
  }

  /** Makes a link to a file or, for every third link, to a transfer. The link is protected before anybody has it. */
  static async create(client: Client, origin: string, seed: string, counts: GuardCounts): Promise<GuardedLink> {
    const draw = new Seeded(seed);
    const isTransfer = draw.between(0, 2) === 0;
    const place = await (isTransfer ? sendTransfer : sendFile)(client, seed, draw);
    const link = new GuardedLink(client, origin, draw, counts, place);
    const [password] = link.#passwords;
    await link.#change({ maxDownloads: link.#limit, ...(password === undefined ? {} : { password }) });
    counts.links += 1;
    return link;
  }

  get hasPassword(): boolean {
    return this.#passwords.length > 0;
  }

  /** @param tokens the tokens of a program; none for a browser that has no cookies yet */
  recipient(isProgram: boolean, tokens: Tokens = {}): Recipient {
    return new Recipient(this.#origin, this.downloadId, isProgram, tokens);
  }

  /** Unlocks the link for a recipient. @returns the answer to the last password that was tried */
  async unlock(recipient: Recipient): Promise<Response> {
    let response = await recipient.unlock(this.#passwords[0] ?? "");
    for (const password of this.#passwords.slice(1)) {
      if (response.status === 403) response = await recipient.unlock(password);
    }
    return response;
  }

  /** The owner looks at the link, and sometimes changes something. @throws LossError, HttpError */
  async look(): Promise<void> {
    try {
      await this.#settle();
      const now = await this.#client.get<LinkProtectionNow>(`/api/files/${this.#id}/guards`);
      this.#checkLimit(now.downloadsUsed, now.running);
      if (now.isWaiting) await this.#change({ letGoOn: true });
      else if (now.isUsedUp) await this.#maybe(10, () => this.#changeLimit(1, 2));
      else if (now.downloadsUsed + now.running >= this.#limit) await this.#maybe(3, () => this.#changeLimit(1, 3));
      else await this.#maybe(20, () => this.#changeSomething());
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 410)) throw error;
      this.isOver = true;
      this.#counts.closedLinks += 1;
    }
  }

  /** @throws LossError */
  checkStored({ limit, counted, lostBytes, leases, sizeBytes }: StoredGate): void {
    const held = leases.filter(({ standing }) => standing === "held").length;
    this.#checkLimit(counted, held);
    const lost = leases.reduce((sum, lease) => sum + lease.lostBytes, lostBytes);
    const copies = Math.floor(lost / sizeBytes);
    if (this.#pending === null && copies + held <= limit + SPARE_COPIES) this.#highestOfCopies = this.#limit;
    else if (copies + held > this.#highestOfCopies + SPARE_COPIES) {
      throw new LossError(`${this.downloadId}: ${copies} copies and ${held} held, of ${this.#highestOfCopies}`);
    }
    for (const lease of leases) if (lease.standing === "counted") this.counted.add(lease.id);
    if (this.counted.size !== counted) {
      throw new LossError(`${this.downloadId}: ${counted} counted, by ${this.counted.size} leases`);
    }
  }

  /** @returns a sentence for each difference between the row in D1 and this link */
  differencesOf(limit: number, used: number): string[] {
    const isOtherLimit = !this.isOver && limit !== this.#limit;
    return [
      ...(isOtherLimit ? [`${this.downloadId}: D1 has the limit ${limit}, not ${this.#limit}`] : []),
      ...(used === this.counted.size ? [] : [`${this.downloadId}: D1 has ${used} counted, not ${this.counted.size}`]),
    ];
  }

  #checkLimit(counted: number, held: number): void {
    this.#counts.looks += 1;
    if (this.#pending === null && counted + held <= this.#limit) this.#highest = this.#limit;
    else if (counted + held > this.#highest) {
      throw new LossError(`${this.downloadId}: ${counted} counted and ${held} held, of ${this.#highest}`);
    }
  }

  async #maybe(oneOf: number, act: () => Promise<void>): Promise<void> {
    if (this.#draw.between(1, oneOf) === 1) await act();
  }

  #changeSomething(): Promise<void> {
    if (this.hasPassword && this.#draw.between(0, 1) === 0) return this.#changePassword();
    return this.#changeLimit(-1, 1);
  }

  #changeLimit(least: number, most: number): Promise<void> {
    return this.#change({ maxDownloads: Math.max(1, this.#limit + this.#draw.between(least, most)) });
  }

  /** Sets a new password, which ends the grants of the old password. */
  async #changePassword(): Promise<void> {
    const before = this.recipient(true);
    const { ok } = await this.unlock(before);
    await this.#change({ password: `password ${this.#draw.between(0, 1e9)}` });
    if (!ok) return;
    const response = await before.get("");
    if ((await codeOf(response)) !== "LINK_LOCKED" && response.status !== 410) {
      throw new LossError(`${this.downloadId}: a grant of the last password was answered with ${response.status}`);
    }
    this.#counts.refusals += 1;
  }

  /** Sends a change again that was sent before a kill and got no answer. */
  async #settle(): Promise<void> {
    if (this.#pending) await this.#change(this.#pending);
  }

  async #change(guards: { maxDownloads?: number; password?: string; letGoOn?: true }): Promise<void> {
    const { maxDownloads = this.#limit, password } = guards;
    this.#pending = guards;
    this.#highest = Math.max(this.#highest, maxDownloads);
    this.#highestOfCopies = Math.max(this.#highestOfCopies, maxDownloads);
    if (password !== undefined) this.#passwords = [...new Set([password, ...this.#passwords])];
    const { guards: now } = await this.#client.patch<ListedFile>(`/api/files/${this.#id}`, { guards });
    this.#pending = null;
    this.#limit = maxDownloads;
    this.#passwords.splice(1);
    this.#counts.ownersChanges += 1;
    if (now?.maxDownloads !== maxDownloads) throw new LossError(`${this.downloadId}: the limit is not ${maxDownloads}`);
  }
}

async function sendFile(client: Client, name: string, draw: Seeded): Promise<Place> {
  const bytes = seededBytes(name, draw.between(3 * MIB, 8 * MIB));
  const announced = { filename: "soak.bin", fileType: CONTENT_TYPE, fileSize: bytes.byteLength, expiration: "7d" };
  const start = await client.post<StartUploadAnswer>("/api/direct-upload/presigned-url", announced);
  await client.putToStore(start.presignedUrl, bytes, CONTENT_TYPE);
  await client.post("/api/direct-upload/complete", { downloadId: start.downloadId, receipts: [] });
  return { id: start.uploadId, downloadId: start.downloadId, resources: [{ end: "/content", bytes }] };
}

async function sendTransfer(client: Client, name: string, draw: Seeded): Promise<Place> {
  const files = Array.from({ length: FILES_OF_A_TRANSFER }, (_, n) => ({
    path: `${n}.bin`,
    bytes: seededBytes(`${name}-${n}`, draw.between(MIB, 5 * MIB)),
  }));
  const { id, downloadId }: FinishTransferAnswer = await uploadTransferByScript(client, files);
  return { id, downloadId, resources: files.map(({ bytes }, n) => ({ end: `/entries/${n}/content`, bytes })) };
}
