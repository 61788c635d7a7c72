import { hostname } from "node:os";
import { KEY_NAME_MAX_LENGTH } from "#domain/api-keys.ts";
import { formatBytes, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { ApiError } from "#engine/api-error.ts";
import { readPassword } from "../../opener/password.ts";
import { shown } from "../../opener/show.ts";
import { environment, forgetAccount, readAccount, type Account, checkKey, keepAccount, originOf } from "../account.ts";
import { EXIT, Failure } from "../failure.ts";
import { NotAgreed, waitForConsent } from "../net/device-flow.ts";
import { fetchDirectly } from "../net/fetch.ts";
import { V1 } from "../net/v1.ts";
import { usage, type OptionsOf, onlyOne } from "../options.ts";
import { accountFor } from "../session.ts";
import { Terminal, writeResult, canAsk, writeError } from "../terminal.ts";

type Me = CallAnswer<"readMe"> & { origin: string; keyFrom: "MAYFLY_KEY" | "login" };

/**
 * Forgets the kept key, and revokes it if `login` made it. A key of the account page stays valid, because it may be
 * used elsewhere.
 */
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

/** Gets a key by a person's consent in a browser, or reads a key of the account page from stdin, and keeps the key. */
export async function login({ values, positionals }: OptionsOf<"login">): Promise<void> {
  const origin = await findOrigin(positionals);
  const terminal = new Terminal(values.quiet ?? false);
  const isPiped = values["key-stdin"] ?? false;
  if (!isPiped && !canAsk()) throw usage(withoutTerminal(origin));
  const key = checkKey(isPiped ? (await readPassword()).trim() : await askOnPage(origin));
  const me = await new V1(origin, key, fetchDirectly).call("readMe");
  await keepAccount({ origin, key });
  writeResult(values, { origin, ...me }, ({ email }) => [`Signed in to ${origin} as ${email}.`]);
  const { MAYFLY_URL, MAYFLY_KEY } = process.env;
  if (MAYFLY_KEY) terminal.note("MAYFLY_KEY is set: its key goes on being used instead of this one.");
  else if (MAYFLY_URL && environment().origin !== origin) {
    terminal.note(`MAYFLY_URL is set to another address: unset it to use ${origin}.`);
  }
}

/** @throws Failure `usage` when neither the arguments nor the environment nor a kept account names the site */
async function findOrigin(positionals: readonly string[]): Promise<string> {
  if (positionals.length > 0) return originOf(onlyOne(positionals, "the address of one site"));
  const origin = environment().origin ?? (await readAccount())?.origin;
  if (origin === undefined) throw usage("Give the address of the site: mayfly login ADDRESS.");
  return origin;
}

function withoutTerminal(origin: string): string {
  return `Nobody can be asked here. Make an API key on ${origin}/account, and set MAYFLY_URL and MAYFLY_KEY, or run: mayfly login ${origin} --key-stdin < FILE.`;
}

/** Runs the device flow of RFC 8628. @returns the key @throws Failure `refused` when nobody agrees */
async function askOnPage(origin: string): Promise<string> {
  const v1 = new V1(origin, null, fetchDirectly);
  const started = await v1.call("startDevice", { body: { device_name: deviceName() } });
  const minutes = Math.round((started.expires_in * SECOND_MS) / MINUTE_MS);
  // These lines are written with --quiet, too, because nobody could sign in without them.
  writeError(`Open this page in a browser:  ${started.verification_uri}`);
  writeError(`Enter this code there:        ${started.user_code}`);
  writeError(`Waiting for you. The code works for ${minutes} minutes.`);
  const never = new AbortController().signal;
  try {
    return await waitForConsent(v1, started, never);
  } catch (error) {
    if (!(error instanceof NotAgreed)) throw error;
    throw new Failure(EXIT.refused, error.reason ?? "Nobody agreed in time. Run the same command for another code.");
  }
}

/** The name that the account page shows for the key. */
function deviceName(): string {
  return shown(hostname()).trim().slice(0, KEY_NAME_MAX_LENGTH) || "Command line";
}
