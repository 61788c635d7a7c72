import { parseArgs } from "node:util";
import { EXIT, Problem } from "./problem.ts";

export const HELP = `Opens an end-to-end encrypted link without a browser.

  node mayfly-open.mjs 'LINK' [--list] [--file N]... [--out DIR] [--password-stdin]

The link is the whole address with what stands behind #. Quote it for your shell.

  --list            show what is in the transfer, and save nothing
  --file N          save file number N of the list alone; may be given several times
  --out DIR         save into this folder instead of the current one
  --password-stdin  read the password from the first line of standard input
  --wait MINUTES    while the file is being uploaded, wait so long for a sender who is silent: 30. 0 does not wait
  --help            show this text

A download that was broken off goes on where it stopped: run the same command again.
Unfinished files are in a folder .mayfly-… until then. A file that is there already is never overwritten.
Names that begin with a dot need --out, if only "--out .", since programs take their settings from such files.

Exit codes
  0  done
  1  the files could not be written, or something unexpected happened
  2  wrong use of this command
  3  the link is incomplete, its key does not open the transfer, or a newer page made it
  4  wrong password, or none given
  5  the link does not exist, has ended or was deleted, or the sender has removed the files
  6  not now: the transfer is still arriving, another process saves it here, or too many requests; try again later
  7  the server could not be reached, or sent too little, four times in a row
  8  damaged: bytes are not what the sender encrypted; nothing of that file was kept`;

export interface Options {
  link: string;
  list: boolean;
  /** Numbers of the list, from 1. Empty for all files. */
  files: number[];
  /** The folder to save into. Null for the current folder. */
  out: string | null;
  passwordStdin: boolean;
  /** Replaces files of the same name, instead of adding a number to the new file's name. */
  force?: boolean;
  /** How many minutes the sender of an unfinished upload may be silent. 0 does not follow one. Default: 30. */
  waitMinutes?: number | undefined;
}

/** @returns null when the person asks for help @throws Problem `usage` */
export function readOptions(args: string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [link, ...more] = positionals;
  if (link === undefined || more.length > 0) throw new Problem(EXIT.usage, "Give one link. --help shows how.");
  const files = (values.file ?? []).map((text) => {
    if (!/^[1-9]\d{0,6}$/.test(text))
      throw new Problem(EXIT.usage, `--file takes a number of the list, not "${text}".`);
    return Number(text);
  });
  const { wait } = values;
  if (wait !== undefined && !/^\d{1,4}$/.test(wait))
    throw new Problem(EXIT.usage, `--wait takes minutes, not "${wait}".`);
  return {
    link,
    list: values.list ?? false,
    files,
    out: values.out ?? null,
    passwordStdin: values["password-stdin"] ?? false,
    waitMinutes: wait === undefined ? undefined : Number(wait),
  };
}

/**
 * Reads a link of the site.
 * @param text the link as mail programs and people write it, possibly with more text after it
 * @param page `download`, or `r` for sending into a request @returns null for another address
 */
export function readPageUrl(text: string, page: "download" | "r"): { origin: string; id: string; hash: string } | null {
  // Mail programs write the `#` of a link as `%23`.
  const address = text.trim().replace(/%23/i, "#");
  if (!URL.canParse(address)) return null;
  const { protocol, origin, pathname, hash } = new URL(address);
  const [, id] = new RegExp(`^/${page}/([\\w-]{22})`).exec(pathname) ?? [];
  return id !== undefined && /^https?:$/.test(protocol) ? { origin, id, hash } : null;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        list: { type: "boolean" },
        file: { type: "string", multiple: true },
        out: { type: "string" },
        "password-stdin": { type: "boolean" },
        wait: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new Problem(EXIT.usage, `${error instanceof Error ? error.message : "Wrong use."} --help shows how.`);
  }
}
