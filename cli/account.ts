import { rm } from "node:fs/promises";
import { join } from "node:path";
import { isKey } from "#domain/api-keys.ts";
import { parseObject } from "#engine/api-error.ts";
import { EXIT, Failure } from "./failure.ts";
import { configFolder, readPrivateFile, writePrivateFile } from "./kept-files.ts";

export interface Account {
  origin: string;
  key: string;
}

const SIGN_IN = "You are not signed in. Run: mayfly login ADDRESS. Or set MAYFLY_URL and MAYFLY_KEY.";

/**
 * MAYFLY_URL and MAYFLY_KEY, null where a variable is not set. Both variables win over the account that `login` has
 * kept.
 */
export function environment(): { origin: string | null; key: string | null } {
  const { MAYFLY_URL, MAYFLY_KEY } = process.env;
  return { origin: MAYFLY_URL ? originOf(MAYFLY_URL) : null, key: MAYFLY_KEY ? MAYFLY_KEY.trim() : null };
}

/** @returns the account of the environment, else the kept account @throws Failure `refused` without any account */
export async function findAccount(): Promise<Account & { isFromEnvironment: boolean; overrides: Account | null }> {
  const { origin, key } = environment();
  const kept = await readAccount();
  if (key === null) {
    if (kept === null) throw new Failure(EXIT.refused, SIGN_IN);
    // A kept key is never sent to an address other than the address that the key was made for.
    if (origin !== null && origin !== kept.origin) {
      const message = `MAYFLY_URL is ${origin}, and wins over ${kept.origin}, where you are signed in. Run: mayfly login ${origin}. Or set MAYFLY_KEY, too.`;
      throw new Failure(EXIT.refused, message);
    }
    return { ...kept, isFromEnvironment: false, overrides: null };
  }
  const used = { origin: origin ?? kept?.origin, key: checkKey(key) };
  if (used.origin === undefined) throw new Failure(EXIT.refused, "MAYFLY_KEY needs MAYFLY_URL, too.");
  const isOther = kept !== null && (kept.key !== used.key || kept.origin !== used.origin);
  return { origin: used.origin, key: used.key, isFromEnvironment: true, overrides: isOther ? kept : null };
}

/** @throws Failure `usage` for text that is not an address of a site */
export function originOf(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw new Failure(EXIT.usage, `"${text}" is not an address.`);
  return url.origin;
}

/** @throws Failure `refused` for text that is not an API key */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Failure(EXIT.refused, "This is not an API key: mayfly_… was expected.");
  return key;
}

export async function keepAccount(kept: Account): Promise<void> {
  await writePrivateFile(path(), `${JSON.stringify(kept, null, 2)}\n`);
}

export async function forgetAccount(): Promise<void> {
  await rm(path(), { force: true });
}

/** @returns the account that `login` has kept; null if no account is kept */
export async function readAccount(): Promise<Account | null> {
  const content = await readPrivateFile(path());
  const { origin, key } = parseObject(content?.toString() ?? "") ?? {};
  return typeof origin === "string" && typeof key === "string" ? { origin, key } : null;
}

function path(): string {
  return join(configFolder(), "account.json");
}
