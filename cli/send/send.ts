import { createWriteStream, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import type { UploadOptions } from "#engine/upload-types.ts";
import { readPassword } from "../../opener/password.ts";
import { readCount, readExpiration, usage, type OptionsOf } from "../options.ts";
import { programPorts } from "../ports.ts";
import { openSession } from "../session.ts";
import { Terminal, writeResult } from "../terminal.ts";
import { collect, type Collected } from "./collect.ts";
import { keptLinks } from "./kept-links.ts";
import { sendFile } from "./send-file.ts";
import { sendTransfer } from "./send-transfer.ts";
import { Unfinished } from "./unfinished.ts";

type Values = OptionsOf<"send">["values"];

/** Standard input has no name of its own. */
const STDIN_NAME = "stdin";

/** @throws what `describeError` describes */
export async function send({ values, positionals: paths }: OptionsOf<"send">): Promise<void> {
  checkUse(values, paths);
  const options = await readUploadOptions(values);
  const terminal = new Terminal(values.quiet ?? false);
  const spool = paths[0] === "-" ? await mkdtemp(join(tmpdir(), "mayfly-")) : null;
  // Also when it is interrupted.
  if (spool !== null)
    process.once("exit", () => {
      rmSync(spool, { recursive: true, force: true });
    });
  try {
    const collected = await collect(spool === null ? paths : [await readStdin(spool, values.name)]);
    checkCollected(values, collected);
    await sendCollected(values, spool === null ? paths : [], collected, options, terminal);
  } finally {
    terminal.clear();
  }
}

function checkUse({ encrypt, to, password, ...values }: Values, paths: readonly string[]): void {
  if (paths.length === 0) throw usage("Give files or folders to send.");
  if (paths.includes("-") && paths.length > 1) throw usage("Standard input is sent alone.");
  if (paths.includes("-") && values["password-stdin"]) throw usage("Standard input cannot be both file and password.");
  if (password !== undefined && values["password-stdin"]) throw usage("Give one password.");
  if (encrypt && to) throw usage("An encrypted link is not mailed: the server would learn its key.");
}

function checkCollected({ message, to }: Values, { single, items }: Collected): void {
  if (items.length === 0) throw usage("There is nothing to send.");
  if (single && message !== undefined && !to) throw usage("A single file's --message goes with --to.");
}

async function readUploadOptions(values: Values): Promise<UploadOptions> {
  const expiration = readExpiration(values.expires);
  const password = values["password-stdin"] ? await readPassword() : values.password;
  const maxDownloads = values.downloads === undefined ? undefined : readCount("--downloads", values.downloads);
  const guards = {
    ...(password !== undefined && { password }),
    ...(maxDownloads !== undefined && { maxDownloads }),
  };
  return {
    expiration: expiration ?? DEFAULT_EXPIRATION,
    expirationChosen: expiration !== undefined,
    ...(Object.keys(guards).length > 0 && { guards }),
    ...(values.encrypt && { sealed: true }),
  };
}

/** The start of an upload names its size, so standard input is read to its end first. @returns the path */
async function readStdin(folder: string, name = STDIN_NAME): Promise<string> {
  const path = join(folder, name.replaceAll(/[/\\\0]/g, "_"));
  await pipeline(process.stdin, createWriteStream(path));
  return path;
}

async function sendCollected(
  values: Values,
  paths: readonly string[],
  { single, items, skipped }: Collected,
  options: UploadOptions,
  terminal: Terminal,
): Promise<void> {
  const { v1, line } = await openSession(terminal);
  const me = await v1.call("readMe");
  const links = keptLinks();
  const { fresh = false, name, message = "", to = [] } = values;
  const warn = (text: string) => {
    terminal.note(text);
  };
  const ports = programPorts({ v1, line, keyId: me.key.id, links, fresh, warn });
  if (skipped > 0) terminal.note(`Not sent: ${skipped} symbolic links or devices.`);
  const unfinished = new Unfinished(me.key.id, paths);
  const sending = { ports, options, terminal, unfinished, fresh };
  const sent = single
    ? await sendFile(name === undefined ? single : renamed(single, name), sending)
    : await sendTransfer(items, { ...sending, title: name ?? "", message });
  await links.settle();
  terminal.clear();
  writeResult(values.json ? JSON.stringify(sent) : sent.link);
  for (const email of to) await v1.call("mailTransfer", { params: { id: sent.id }, body: { email, note: message } });
}

function renamed(file: File, name: string): File {
  return new File([file], name, { lastModified: file.lastModified });
}
