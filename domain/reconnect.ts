import { SECOND_MS } from "./units.ts";

/** After a connection that lasted this long, the waits start again at the shortest. */
export const LASTING_CONNECTION_MS = 10 * SECOND_MS;

const LONGEST_WAIT_MS = 30 * SECOND_MS;
const FIRST_WAIT_MS = { least: SECOND_MS, most: LONGEST_WAIT_MS / 2 };

/**
 * How long a page waits until it opens its socket again. A deployment closes all sockets at once, so the wait is random
 * and spread: of 10,000 pages, about 710 come back in a second.
 * @param failed attempts since a connection that lasted; 0 when that connection was lost @param random at least 0, below 1
 * @returns milliseconds: from 1 to 15 s, growing to 15 to 30 s
 */
export function reconnectWaitMs(failed: number, random: number): number {
  const least = Math.min(FIRST_WAIT_MS.least * 2 ** failed, LONGEST_WAIT_MS / 2);
  const most = Math.min(FIRST_WAIT_MS.most * 2 ** failed, LONGEST_WAIT_MS);
  return least + random * (most - least);
}
