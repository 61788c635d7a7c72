import { checkKey, forgetAccount, keepAccount, originOf } from "../account.ts";
import { askSecret, readPassword } from "../../opener/password.ts";
import { formatBytes } from "#domain/units.ts";
import { EXIT, Failure } from "../failure.ts";
import { fetchDirectly } from "../net/fetch.ts";
import { V1 } from "../net/v1.ts";
import { onlyOne, usage, type OptionsOf } from "../options.ts";
import { openCalls } from "../session.ts";
import { canAsk, Terminal, writeResult } from "../terminal.ts";

/** Keeps a key that was made on the account page, once the server has accepted it. */
export async function login({ values, positionals }: OptionsOf<"login">): Promise<void> {
  const origin = originOf(onlyOne(positionals, "the address of the site"));
  const key = checkKey((await readKey(values["key-stdin"] ?? false, origin)).trim());
  const me = await new V1(origin, key, fetchDirectly).call("readMe");
  await keepAccount({ origin, key });
  writeResult(values.json ? JSON.stringify(me) : `Signed in to ${origin} as ${me.email}.`);
}

function readKey(isPiped: boolean, origin: string): Promise<string> {
  if (isPiped) return readPassword();
  if (!canAsk()) throw usage("Without a terminal, login reads the key with --key-stdin.");
  console.error(`Make an API key on ${origin}/dashboard, and paste it here. It is not shown.`);
  return askSecret("Key: ", "No key was given.");
}

/** Forgets the kept key, which goes on working elsewhere. */
export async function logout({ values, positionals }: OptionsOf<"logout">): Promise<void> {
  if (positionals.length > 0) throw usage("logout takes nothing.");
  if (!(await forgetAccount())) throw new Failure(EXIT.refused, "No key was kept here.");
  if (values.json) writeResult("{}");
  new Terminal(values.quiet ?? false).note(
    "The key is forgotten here. To end it everywhere, revoke it on the account page.",
  );
}

export async function whoami({ values, positionals }: OptionsOf<"whoami">): Promise<void> {
  if (positionals.length > 0) throw usage("whoami takes nothing.");
  const v1 = await openCalls();
  const me = await v1.call("readMe");
  if (values.json) {
    writeResult(JSON.stringify({ origin: v1.origin, ...me }));
    return;
  }
  const { limits, month, key } = me;
  writeResult(
    [
      `${me.email} at ${v1.origin}`,
      `Plan ${me.plan}: files up to ${formatBytes(limits.fileSize)}`,
      `This month: ${formatBytes(month.bytes)} of ${formatBytes(limits.monthBytes)}, ${month.transfers} of ${limits.monthTransfers} transfers`,
      `Key "${key.name}" (…${key.lastFour}): ${key.scopes.join(", ")}; ${key.expiresAt === null ? "does not run out" : `runs out on ${key.expiresAt.slice(0, 10)}`}`,
    ].join("\n"),
  );
}
