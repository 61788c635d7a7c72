import { parseArgs, type ParseArgsConfig } from "node:util";
import { EXPIRATIONS, type Expiration } from "#domain/expiry.ts";
import { EXIT, Failure } from "./failure.ts";

const FLAG = { type: "boolean" } as const;
const TEXT = { type: "string" } as const;
const TEXTS = { type: "string", multiple: true } as const;

const COMMON = { json: FLAG, quiet: FLAG } as const;
const GUARDS = { password: TEXT, "password-stdin": FLAG, downloads: TEXT } as const;

/** What each command takes. */
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
  },
  get: { ...COMMON, out: TEXT, force: FLAG, file: TEXTS, list: FLAG, "password-stdin": FLAG },
  ls: COMMON,
  info: COMMON,
  edit: { ...COMMON, ...GUARDS, "no-password": FLAG, name: TEXT, expires: TEXT, message: TEXT },
  rm: COMMON,
} as const satisfies Record<string, ParseArgsConfig["options"]>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** @throws Failure `usage` */
export function readOptions<Name extends CommandName>(name: Name, args: string[]) {
  try {
    const options: (typeof COMMANDS)[Name] = COMMANDS[name];
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : "Wrong use.");
  }
}

export type OptionsOf<Name extends CommandName> = ReturnType<typeof readOptions<Name>>;

export function usage(message: string): Failure {
  return new Failure(EXIT.usage, `${message} "mayfly --help" shows how.`);
}

/** @throws Failure `usage` unless there is exactly one */
export function onlyOne(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined || positionals.length > 1) throw usage(`Give ${what}.`);
  return first;
}

/** @throws Failure `usage` */
export function readExpiration(text: string | undefined): Expiration | undefined {
  if (text === undefined) return undefined;
  const found = EXPIRATIONS.find((expiration) => expiration === text);
  if (found === undefined) throw usage(`--expires takes one of ${EXPIRATIONS.join(", ")}.`);
  return found;
}

/** @param text a whole number above 0 @throws Failure `usage` */
export function readCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw usage(`${option} takes a number, not "${text}".`);
  return Number(text);
}

export const HELP = `Sends files and folders, and fetches what others sent.

  mayfly login [ADDRESS]    sign in with a browser, or with an API key: --key-stdin
  mayfly send PATH...|-     send files and folders behind one link
  mayfly get LINK           save what is behind a link; needs no key
  mayfly ls                 list what was sent
  mayfly info LINK|ID       show one of them
  mayfly edit LINK|ID       change it
  mayfly rm LINK|ID...      end links, and delete their bytes
  mayfly whoami             show the plan, and what the month has taken
  mayfly logout             forget the key, and revoke it

send
  --expires TIME            one of ${EXPIRATIONS.join(", ")}
  --password TEXT           ask recipients for it; --password-stdin reads it from standard input
  --downloads N             end the link after so many downloads
  --encrypt                 encrypt end to end; the key is in the link alone
  --name NAME               of the file, or the title of several
  --message TEXT            for the recipients
  --to ADDRESS              mail the link; may be given several times
  --fresh                   do not go on with an unfinished upload
  A folder's .mayflyignore names what is not sent. Symbolic links are not followed.

get
  --out DIR                 save into this folder instead of the current one
  --file N                  save file number N of the list alone; may be given several times
  --list                    show what is behind the link, and save nothing
  --force                   replace files of the same name, instead of giving new ones a number
  --password-stdin          read the password from the first line of standard input

edit
  --name, --expires, --message, or guards: --password, --password-stdin, --no-password, --downloads N|any

All commands take --json (the result as one object), --quiet and --help.
MAYFLY_URL and MAYFLY_KEY win over what login has kept. HTTPS_PROXY and NO_PROXY are heard.
MAYFLY_PATIENCE is for how many seconds send waits for a server that does not answer: 600.

Exit codes
  0  done
  1  something unexpected happened
  2  wrong use of this command
  3  not signed in, the key or password was refused, or a link's key is not whole
  4  a limit of the plan, of the key or of the server; or not now
  5  there is no such link, or it has ended
  6  the network failed, for ten minutes while sending
  7  bytes are not what was sent; nothing of that file was kept
  8  a file changed while it was sent
  130  interrupted`;
