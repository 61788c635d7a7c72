import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { findAccount, type Account } from "./account.ts";
import { fetchDirectly } from "./net/fetch.ts";
import { Line } from "./net/line.ts";
import { V1 } from "./net/v1.ts";
import { readCount } from "./options.ts";
import { Terminal } from "./terminal.ts";

export interface Session {
  v1: V1;
  line: Line;
}

/** Unless `MAYFLY_PATIENCE` says something else. */
const PATIENCE_MS = 10 * MINUTE_MS;

/** The calls with the person's key. @throws Failure `refused` for whoever is not signed in */
export async function openSession(terminal: Terminal): Promise<Session> {
  const { origin, key } = await accountFor(terminal);
  return openSessionWith(origin, key, terminal);
}

/** @param key null for calls that need none */
export function openSessionWith(origin: string, key: string | null, terminal: Terminal): Session {
  const line = new Line(fetchDirectly, origin, readPatience(), () => {
    terminal.note("The server cannot be reached. Waiting for it…");
  });
  return { v1: new V1(origin, key, line.fetch), line };
}

/** @returns the calls alone, for what is asked once */
export async function openCalls({ quiet = false }: { quiet?: boolean }): Promise<V1> {
  const { origin, key } = await accountFor(new Terminal(quiet));
  return new V1(origin, key, fetchDirectly);
}

/** Tells whoever has both which key is used. */
export async function accountFor(terminal: Terminal): Promise<Account & { isFromEnvironment: boolean }> {
  const { overrides, ...used } = await findAccount();
  if (overrides) {
    terminal.note(
      `MAYFLY_KEY is set, so its key for ${used.origin} is used, not the one that login kept for ${overrides.origin}.`,
    );
  }
  return used;
}

/** @returns milliseconds; the environment has seconds @throws Failure `usage` */
function readPatience(): number {
  const { MAYFLY_PATIENCE } = process.env;
  return MAYFLY_PATIENCE ? readCount("MAYFLY_PATIENCE", MAYFLY_PATIENCE) * SECOND_MS : PATIENCE_MS;
}
