import { parseArgs, type ParseArgsConfig } from "node:util";
import { EXPIRATIONS, type Expiration } from "#domain/expiry.ts";
import { EXIT, Failure } from "./failure.ts";

const FLAG = { type: "boolean" } as const;
const TEXT = { type: "string" } as const;
const TEXTS = { type: "string", multiple: true } as const;

const COMMON = { json: FLAG, quiet: FLAG } as const;
const GUARDS = { password: TEXT, "password-stdin": FLAG, downloads: TEXT } as const;

const COMMANDS = {
  login: { ...COMMON, "key-stdin": FLAG },
  logout: COMMON,
  whoami: COMMON,
  send: {
    ...COMMON,
    ...GUARDS,
    expires: TEXT,
    to: TEXTS,
    message: TEXT,
    name: TEXT,
    encrypt: FLAG,
    fresh: FLAG,
    "to-request": TEXT,
    email: TEXT,
    note: TEXT,
  },
  get: { ...COMMON, out: TEXT, force: FLAG, file: TEXTS, list: FLAG, wait: TEXT, "password-stdin": FLAG },
  ls: COMMON,
  info: COMMON,
  edit: { ...COMMON, ...GUARDS, "no-password": FLAG, name: TEXT, expires: TEXT, message: TEXT },
  rm: COMMON,
  request: {
    ...COMMON,
    title: TEXT,
    note: TEXT,
    expires: TEXT,
    keep: TEXT,
    most: TEXT,
    "most-file": TEXT,
    times: TEXT,
    kinds: TEXT,
    ask: TEXT,
    password: TEXT,
    "password-stdin": FLAG,
    "no-password": FLAG,
    notify: TEXT,
  },
} as const satisfies Record<string, ParseArgsConfig["options"]>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** @throws Failure `usage` for invalid options */
export function readOptions<Name extends CommandName>(name: Name, args: string[]) {
  try {
    const options: (typeof COMMANDS)[Name] = COMMANDS[name];
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // Node's message continues with how to pass such words as arguments, which no command takes.
    throw usage(error instanceof Error ? error.message.replace(/\. .*/s, ".") : "Wrong use.");
  }
}

export type OptionsOf<Name extends CommandName> = ReturnType<typeof readOptions<Name>>;

export function usage(message: string): Failure {
  return new Failure(EXIT.usage, `${message} "mayfly --help" shows how.`);
}

/** @param what names the expected argument @throws Failure `usage` unless there is exactly one argument */
export function onlyOne(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined || positionals.length > 1) throw usage(`Give ${what}.`);
  return first;
}

/** @returns undefined if `--expires` was not given @throws Failure `usage` for an unknown lifetime */
export function readExpiration(text: string | undefined): Expiration | undefined {
  return readChoice("--expires", text, EXPIRATIONS);
}

/** @returns undefined for an option that was not given @throws Failure `usage` for anything but `choices` */
export function readChoice<Choice extends string>(
  option: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const found = choices.find((choice) => choice === text);
  if (text !== undefined && found === undefined) throw usage(`${option} takes one of ${choices.join(", ")}.`);
  return found;
}

/** @param text a whole number above 0 @throws Failure `usage` */
export function readCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw usage(`${option} takes a number, not "${text}".`);
  return Number(text);
}

/** @param text a whole number, at most 9999, which is a week @returns minutes @throws Failure `usage` */
export function readMinutes(option: string, text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw usage(`${option} takes minutes, not "${text}".`);
  return Number(text);
}
