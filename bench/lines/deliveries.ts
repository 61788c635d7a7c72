import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { StartUploadAnswer } from "#domain/wire.ts";
import { Store } from "../support/store.ts";
import type { RandomFile } from "../support/random-file.ts";
import type { DOORS } from "./line-process.ts";
import type { LinesBench } from "./lines-bench.ts";
import { read, type Reading } from "./reading.ts";
import { UP, type Way } from "./ways.ts";

/** A file's way from a sender over one line to a reader over another. Moments are milliseconds since the Unix epoch. */
export interface Delivery {
  chosenAt: number;
  /** When each part of each segment was stored, in the order in which they were; empty where there are no segments. */
  stored: StoredPart[];
  /** When the sender was told that the file has been sent. */
  sentAt: number;
  reading: Reading;
}

export interface StoredPart {
  segment: number;
  at: number;
}

/** A delivery that is ready to begin. */
interface Prepared {
  /** The door through which the bytes of the file go to the server. */
  door: (typeof DOORS)[number];
  run(): Promise<Delivery>;
  clear(): Promise<void>;
}

type Deliver = (bench: LinesBench, file: RandomFile) => Promise<Prepared>;

/** The ways in which a file is delivered, by the names in the table. */
export const DELIVERIES: Record<string, Deliver> = {
  mayfly: byPage(UP.mayfly, async ({ readerLine }, page) => {
    const answer = await page.waitForResponse("**/api/direct-upload/presigned-url");
    const { downloadId } = (await answer.json()) as StartUploadAnswer;
    return read(`${readerLine.origins.app}/api/files/download/${downloadId}/content?follow=1`);
  }),
  tus: byPage(UP.tus, async ({ readerLine }, page, sent) => {
    const answer = await page.waitForResponse((response) => response.request().method() === "POST");
    const location = (await answer.headerValue("location")) ?? "";
    await sent;
    return read(`${readerLine.origins.tus}${new URL(location).pathname}`);
  }),
  "one PUT": byPage(UP["one PUT"], async ({ readerLine }, page, sent) => {
    const request = await page.waitForRequest((each) => each.method() === "PUT");
    const key = new URL(request.url()).pathname.split("/mayfly/")[1] ?? "";
    await sent;
    return read(await new Store(readerLine.origins.store).getUrl(key));
  }),
  "magic-wormhole": byWormhole,
};

/**
 * A delivery that a page sends.
 * @param readIt called before the page sends; reads the file as soon as its address is known, or once it is sent
 */
function byPage(
  up: Way | undefined,
  readIt: (bench: LinesBench, page: Page, sent: Promise<unknown>) => Promise<Reading>,
): Deliver {
  return async (bench, file) => {
    if (!up) throw new Error("there is no such upload");
    const { door, page, run, clear } = await up(bench, file);
    return {
      door,
      run: async () => {
        const sent = Promise.withResolvers<unknown>();
        const reading = readIt(bench, page, sent.promise);
        const stored: StoredPart[] = [];
        page.on("response", (response) => {
          const segment = PART_OF_SEGMENT.exec(response.url())?.[1];
          if (segment === undefined || response.request().method() !== "PUT" || !response.ok()) return;
          stored.push({ segment: Number(segment), at: Date.now() });
        });
        const { chosenAt, readyAt } = await Promise.race([run(), neverEnds(reading)]);
        sent.resolve(null);
        return { chosenAt, stored, sentAt: readyAt, reading: await reading };
      },
      clear,
    };
  };
}

/** The address of a part of a file in segments. */
const PART_OF_SEGMENT = /\/files\/[^/]+\/(\d{5})\?/;

/** Rejects with the promise, and never resolves. */
async function neverEnds(promise: Promise<unknown>): Promise<never> {
  await promise;
  return new Promise(() => undefined);
}

/** Both programs wait for each other, and the reader begins at once. */
function byWormhole({ wormhole, line, readerLine, server }: LinesBench, file: RandomFile): Promise<Prepared> {
  const received = `${server.folder}/received.bin`;
  const code = `7-${crypto.randomUUID()}`;
  const relayOf = (origin: string) => `tcp:localhost:${new URL(origin).port}`;
  return Promise.resolve({
    door: "relay",
    run: async () => {
      if (!wormhole) throw new Error("magic-wormhole is not installed");
      const chosenAt = Date.now();
      let [sentAt, endAt] = [0, 0];
      await Promise.all([
        wormhole.send(file.path, code, relayOf(line.origins.relay)).then(() => {
          sentAt = Date.now();
        }),
        wormhole.receive(received, code, relayOf(readerLine.origins.relay)).then(() => {
          endAt = Date.now();
        }),
      ]);
      const hash = createHash("sha256");
      for await (const bytes of createReadStream(received)) hash.update(bytes as Buffer);
      const reading = { firstAt: null, endAt, sha256: hash.digest("hex"), refusals: 0 };
      return { chosenAt, stored: [], sentAt, reading };
    },
    clear: () => rm(received, { force: true }),
  });
}
