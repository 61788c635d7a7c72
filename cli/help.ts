import { EXPIRATIONS } from "#domain/expiry.ts";
import { REQUEST_LIFETIMES } from "#domain/requests/limits.ts";
import type { CommandName } from "./options.ts";

const COMMANDS: Record<CommandName, string> = {
  login: "  mayfly login [ADDRESS]    sign in with a browser, or with an API key: --key-stdin",
  send: "  mayfly send PATH...|-     send files and folders behind one link",
  get: "  mayfly get LINK           save what is behind a link; needs no key",
  ls: "  mayfly ls                 list what was sent",
  info: "  mayfly info LINK|ID       show one of them",
  edit: "  mayfly edit LINK|ID       change it",
  rm: "  mayfly rm LINK|ID...      end links, and delete their bytes",
  request: "  mayfly request            ask others for files: makes a link through which they send",
  whoami: "  mayfly whoami             show the plan, and what the month has taken",
  logout: "  mayfly logout             forget the key, and revoke it",
};

const OPTIONS: Partial<Record<CommandName, string>> = {
  send: `  --expires TIME            one of ${EXPIRATIONS.join(", ")}
  --until TIME              instead of --expires, when the link ends: "2026-12-04 18:00" in this computer's time zone,
                            or with an offset 2026-12-04T18:00:00+01:00
  --password TEXT           ask recipients for it; --password-stdin reads it from standard input
  --downloads N             end the link after so many downloads
  --encrypt                 encrypt end to end; the key is in the link alone
  --text TEXT               send this text, as a file of its own or beside the files
  --name NAME               of the file, or the title of several
  --message TEXT            for the recipients
  --to ADDRESS              mail the link; may be given several times
  --fresh                   do not go on with an unfinished upload
  --to-request LINK         send to whoever asked for files with this link; needs no key, and gives a receipt.
                            With --name, --email and --note of who sends, and its password
  A folder's .mayflyignore names what is not sent. Symbolic links are not followed.`,
  get: `  --out DIR                 save into this folder instead of the current one
  --file N                  save file number N of the list alone; may be given several times
  --list                    show what is behind the link, and save nothing
  --wait MINUTES            while the upload is under way, wait so long for a sender who is silent: 30.
                            0 does not wait for what has not arrived
  --force                   replace files of the same name, instead of giving new ones a number
  --password-stdin          read the password from the first line of standard input`,
  edit: `  --name, --expires or --until, --message, or guards: --password, --password-stdin, --no-password, --downloads N|any`,
  request: `  --title TEXT              make a request, and write its link. All that follows is optional
  --note TEXT               for those who send
  --expires TIME            of the request: one of ${REQUEST_LIFETIMES.join(", ")}
  --keep TIME               how long what comes is kept: one of ${EXPIRATIONS.join(", ")}
  --most SIZE, --most-file SIZE, --times N
                            bounds of everything, of one file, and how often somebody may send
  --kinds LIST              endings of files, such as jpg,png
  --ask LIST                what senders have to tell: name, email, both, or nothing
  --password TEXT           ask senders for it; --password-stdin reads it from standard input
  --notify HOW              mail of what comes: each, daily or off
  request list              list them
  request received [LINK|ID]
                            list what has come, of all or of this one
  request edit LINK|ID      change it with these options; any takes a bound away, --no-password the password
  request close LINK|ID..., request open LINK|ID..., request rm LINK|ID...
                            what has come stays`,
};

const COMMON = `All commands take --json (the result as one object), --quiet and --help.`;

/** What `mayfly --help` prints. */
export const HELP = `Sends files and folders, fetches what others sent, and asks others for files.

${Object.values(COMMANDS).join("\n")}

${Object.entries(OPTIONS)
  .map(([name, options]) => `${name}\n${options}\n`)
  .join("\n")}
${COMMON}
MAYFLY_URL and MAYFLY_KEY win over what login has kept. HTTPS_PROXY and NO_PROXY are heard.
MAYFLY_PATIENCE is for how many seconds send waits for a server that does not answer: 600.

Exit codes
  0  done
  1  something unexpected happened
  2  wrong use of this command
  3  not signed in, the key or password was refused, or a link's key is not whole
  4  a limit of the plan, of the key, of a request or of the server; or not now
  5  there is no such link, or it has ended
  6  the network failed, for ten minutes while sending
  7  bytes are not what was sent; nothing of that file was kept
  8  a file changed while it was sent
  130  interrupted`;

/** @returns what `mayfly NAME --help` prints */
export function helpOf(name: CommandName): string {
  const options = OPTIONS[name];
  return [COMMANDS[name], ...(options === undefined ? [] : ["", options]), "", COMMON].join("\n");
}
