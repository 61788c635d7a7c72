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
    until: TEXT,
    to: TEXTS,
    message: TEXT,
    text: TEXT,
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
  edit: { ...COMMON, ...GUARDS, "no-password": FLAG, name: TEXT, expires: TEXT, until: TEXT, message: TEXT },
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

/** The two ways to say when a link ends: `expires` for a duration, `expiresAt` (ISO 8601, UTC) for an exact end. */
interface ChosenEnd {
  expires?: Expiration | undefined;
  expiresAt?: string | undefined;
}

/** Reads `--expires` or `--until`. @throws Failure `usage` for both, for an unknown duration and for no moment */
export function readEnd({ expires, until }: { expires?: string; until?: string }): ChosenEnd {
  if (until === undefined) return { expires: readChoice("--expires", expires, EXPIRATIONS) };
  if (expires !== undefined) throw usage("Give --expires or --until, not both.");
  const at = readMoment(until);
  if (at === null) {
    throw usage(`--until takes a time such as "2026-12-04 18:00" or 2026-12-04T18:00:00+01:00, not "${until}".`);
  }
  return { expiresAt: at.toISOString() };
}

/** @param text a local time, or ISO 8601 with an offset @returns null for anything else, such as the 30th of February */
function readMoment(text: string): Date | null {
  const [, year, month, day, time, offset] =
    /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?$/i.exec(text.trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined || time === undefined) return null;
  // Date accepts the 30th of February as a day of March.
  const daysOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const at = new Date(`${year}-${month}-${day}T${time}${offset?.toUpperCase() ?? ""}`);
  return Number.isNaN(at.getTime()) || Number(day) > daysOfMonth ? null : at;
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
