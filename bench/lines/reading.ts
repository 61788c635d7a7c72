import { createHash } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";

/** What a reader noted. Moments are milliseconds since the Unix epoch. */
export interface Reading {
  /** When the first byte of the file came; null where nobody can tell. */
  firstAt: number | null;
  endAt: number;
  /** Of what came, in hex. */
  sha256: string;
  /** How often the reader was told to come again. */
  refusals: number;
}

/**
 * Reads a file to its end. Comes again when the answer says when.
 * @throws Error when the answer is another one, or breaks off
 */
export async function read(url: string): Promise<Reading> {
  for (let refusals = 0; ; refusals += 1) {
    const [answer] = (await once(get(url), "response")) as [IncomingMessage];
    const { statusCode, headers } = answer;
    const againSeconds = Number(headers["retry-after"]);
    if (statusCode === 409 && againSeconds > 0) {
      answer.resume();
      await wait(againSeconds * SECOND_MS);
      continue;
    }
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    const hash = createHash("sha256");
    let firstAt: number | null = null;
    for await (const bytes of answer) {
      firstAt ??= Date.now();
      hash.update(bytes as Buffer);
    }
    return { firstAt, endAt: Date.now(), sha256: hash.digest("hex"), refusals };
  }
}
