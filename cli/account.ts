import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { isKey } from "#domain/api-keys.ts";
import { parseObject } from "#engine/api-error.ts";
import { EXIT, Failure } from "./failure.ts";
import { configFolder } from "./folders.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

const account = z.object({ origin: z.string(), key: z.string() });
export type Account = z.infer<typeof account>;

const SIGN_IN = "You are not signed in. Run: mayfly login ADDRESS. Or set MAYFLY_URL and MAYFLY_KEY.";

/** @returns whose key it is to be: that of the environment, else the kept one @throws Failure `refused` without one */
export async function findAccount(): Promise<Account> {
  const { MAYFLY_URL, MAYFLY_KEY } = process.env;
  const kept = await readAccount();
  // A kept key is never sent to another address than the one that it was made for.
  if (!MAYFLY_KEY) {
    if (kept === null || (MAYFLY_URL && originOf(MAYFLY_URL) !== kept.origin)) throw new Failure(EXIT.refused, SIGN_IN);
    return kept;
  }
  const origin = MAYFLY_URL ? originOf(MAYFLY_URL) : kept?.origin;
  if (origin === undefined) throw new Failure(EXIT.refused, "MAYFLY_KEY needs MAYFLY_URL, too.");
  return { origin, key: checkKey(MAYFLY_KEY.trim()) };
}

/** @throws Failure `usage` for what is no address of a site */
export function originOf(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw new Failure(EXIT.usage, `"${text}" is not an address.`);
  return url.origin;
}

/** @throws Failure `refused` for what is no key */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Failure(EXIT.refused, "This is not an API key: mayfly_… was expected.");
  return key;
}

export async function keepAccount(kept: Account): Promise<void> {
  await writePrivateFile(path(), `${JSON.stringify(kept, null, 2)}\n`);
}

/** @returns false when none was kept */
export async function forgetAccount(): Promise<boolean> {
  const isKept = (await readPrivateFile(path())) !== null;
  await rm(path(), { force: true });
  return isKept;
}

async function readAccount(): Promise<Account | null> {
  const content = await readPrivateFile(path());
  const parsed = account.safeParse(parseObject(content?.toString() ?? ""));
  return parsed.success ? parsed.data : null;
}

function path(): string {
  return join(configFolder(), "account.json");
}
