import { formatBytes } from "#domain/units.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { ApiError } from "#engine/api-error.ts";
import { environment, forgetAccount, readAccount, type Account } from "../account.ts";
import { EXIT, Failure } from "../failure.ts";
import { fetchDirectly } from "../net/fetch.ts";
import { V1 } from "../net/v1.ts";
import { usage, type OptionsOf } from "../options.ts";
import { accountFor } from "../session.ts";
import { Terminal, writeResult } from "../terminal.ts";

type Me = CallAnswer<"readMe"> & { origin: string; keyFrom: "MAYFLY_KEY" | "login" };

/** Forgets the kept key, and revokes it if `login` made it: a key of the account page may be used elsewhere, too. */
export async function logout({ values, positionals }: OptionsOf<"logout">): Promise<void> {
  if (positionals.length > 0) throw usage("logout takes nothing.");
  const kept = await readAccount();
  if (kept === null) throw new Failure(EXIT.refused, "No key was kept here.");
  const { isRevoked, words } = await endKey(kept);
  await forgetAccount();
  writeResult(values, { revoked: isRevoked }, () => []);
  const terminal = new Terminal(values.quiet ?? false);
  terminal.note(words);
  if (environment().key !== null) terminal.note("MAYFLY_KEY is still set, and its key goes on being used.");
}

async function endKey({ origin, key }: Account): Promise<{ isRevoked: boolean; words: string }> {
  try {
    await new V1(origin, key, fetchDirectly).call("endKey");
    return { isRevoked: true, words: `Signed out of ${origin}: the key is revoked.` };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      return { isRevoked: true, words: "The key had ended already. It is forgotten here." };
    }
    const why = error instanceof ApiError ? error.message : "The server cannot be reached.";
    const words = `The key is forgotten here, but not revoked: ${why} Revoke it on ${origin}/account to end it everywhere.`;
    return { isRevoked: false, words };
  }
}

export async function whoami({ values, positionals }: OptionsOf<"whoami">): Promise<void> {
  if (positionals.length > 0) throw usage("whoami takes nothing.");
  const { origin, key: usedKey, isFromEnvironment } = await accountFor(new Terminal(values.quiet ?? false));
  const me = await new V1(origin, usedKey, fetchDirectly).call("readMe");
  writeResult(values, { origin, keyFrom: isFromEnvironment ? "MAYFLY_KEY" : "login", ...me }, describe);
}

function describe({ origin, keyFrom, email, plan, limits, month, key }: Me): string[] {
  const source = keyFrom === "MAYFLY_KEY" ? " of MAYFLY_KEY" : "";
  const end = key.expiresAt === null ? "does not run out" : `runs out on ${key.expiresAt.slice(0, 10)}`;
  return [
    `${email} at ${origin}`,
    `Plan ${plan}: files up to ${formatBytes(limits.fileSize)}`,
    `This month: ${formatBytes(month.bytes)} of ${formatBytes(limits.monthBytes)}, ${month.transfers} of ${limits.monthTransfers} transfers`,
    `Key${source} "${key.name}" (…${key.lastFour}): ${key.scopes.join(", ")}; ${end}`,
  ];
}
