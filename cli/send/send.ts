import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { nameOfText, typeOfText } from "#domain/texts.ts";
import { DirectUpload } from "#engine/direct-upload.ts";
import type { UploadOptions } from "#engine/upload-types.ts";
import { readPassword } from "../../opener/password.ts";
import { interruptibly } from "../failure.ts";
import { readCount, readEnd, usage, type OptionsOf } from "../options.ts";
import { programPorts } from "../ports.ts";
import { openSession, type Session } from "../session.ts";
import { Terminal, writeResult } from "../terminal.ts";
import { collect, type Collected } from "./collect.ts";
import { sendStream } from "./send-stream.ts";
import { sendToRequest } from "./send-to-request.ts";
import { sendTransfer } from "./send-transfer.ts";
import { type SentLink, changed, sendTold, type SendContext } from "./sending.ts";
import { keptLinks, Unfinished } from "./unfinished.ts";

type Values = OptionsOf<"send">["values"];

/** Standard input has no name of its own. */
const STDIN_NAME = "stdin";

/** @throws the errors that `describeError` describes */
export async function send(given: OptionsOf<"send">): Promise<void> {
  const { values, positionals: paths } = given;
  if (values["to-request"] !== undefined) return sendToRequest(given);
  checkUse(values, paths);
  const options = await readUploadOptions(values);
  const terminal = new Terminal(values.quiet ?? false);
  try {
    const collected = paths.includes("-") ? null : withText(await collect(paths, terminal), values.text);
    if (collected) checkCollected(values, collected);
    const session = await openSession(terminal);
    const { name = STDIN_NAME } = values;
    const sent = collected
      ? await sendCollected(values, paths, collected, options, session, terminal)
      : await interruptibly((signal) => sendStream(process.stdin, { name, options, session, terminal, signal }));
    terminal.clear();
    writeResult(values, sent, ({ link }) => [link]);
    const { message: note = "", to = [] } = values;
    for (const email of to) {
      await session.v1.call("mailTransfer", { params: { id: sent.id }, body: { email, note } });
    }
  } finally {
    terminal.clear();
  }
}

function checkUse(values: Values, paths: readonly string[]): void {
  if (values.email !== undefined || values.note !== undefined) throw usage("--email and --note go with --to-request.");
  if (values.text === "") throw usage("--text is empty.");
  if (paths.length === 0 && values.text === undefined) throw usage("Give files or folders to send, or --text.");
  if (paths.includes("-")) checkStreamUse(values, paths);
  if (values.password !== undefined && values["password-stdin"]) throw usage("Give one password.");
  if (values.encrypt && values.to) throw usage("An encrypted link is not mailed: the server would learn its key.");
}

function checkStreamUse(values: Values, paths: readonly string[]): void {
  if (paths.length > 1 || values.text !== undefined) throw usage("Standard input is sent alone.");
  if (values["password-stdin"]) throw usage("Standard input cannot be both file and password.");
  if (values.encrypt) throw usage("Standard input is not encrypted: that needs a file, whose size is known.");
  checkMessage(values);
}

/** Adds the text of `--text` to what was found: a file of its own, or one file more. */
function withText(collected: Collected, text: string | undefined): Collected {
  if (text === undefined) return collected;
  const file = new File([text], nameOfText("text", ""), { type: typeOfText("text") });
  const items = [...collected.items, { path: file.name, file }];
  return { items, single: items.length === 1 ? file : null };
}

function checkCollected(values: Values, { single, items }: Collected): void {
  if (items.length === 0) throw usage("There is nothing to send.");
  if (single) checkMessage(values);
}

/** A single file has a message only when its link is mailed. */
function checkMessage({ message, to }: Values): void {
  if (message !== undefined && !to) throw usage("A single file's --message goes with --to.");
}

async function readUploadOptions(values: Values): Promise<UploadOptions> {
  const { expires, expiresAt } = readEnd(values);
  const password = values["password-stdin"] ? await readPassword() : values.password;
  const maxDownloads = values.downloads === undefined ? undefined : readCount("--downloads", values.downloads);
  const guards = {
    ...(password !== undefined && { password }),
    ...(maxDownloads !== undefined && { maxDownloads }),
  };
  return {
    expiration: expires ?? DEFAULT_EXPIRATION,
    expirationChosen: expires !== undefined,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(Object.keys(guards).length > 0 && { guards }),
    ...(values.encrypt && { sealed: true }),
  };
}

async function sendCollected(
  values: Values,
  paths: readonly string[],
  { single, items }: Collected,
  options: UploadOptions,
  { v1, connection }: Session,
  terminal: Terminal,
): Promise<SentLink> {
  const me = await v1.call("readMe");
  const links = keptLinks();
  const { name, message = "" } = values;
  // A text has no date of its own, by which an unfinished upload would be found again.
  const fresh = values.fresh ?? (single !== null && values.text !== undefined);
  const warn = (text: string) => terminal.note(text);
  const ports = programPorts({ v1, line: connection, keyId: me.key.id, links, fresh, warn });
  const unfinished = new Unfinished(me.key.id, paths);
  const sending = { ports, options, terminal, unfinished, fresh };
  const sent = single
    ? await sendFile(name === undefined ? single : renamed(single, name), sending)
    : await sendTransfer(items, { ...sending, title: name ?? "", message });
  await links.settle();
  return sent;
}

function renamed(file: File, name: string): File {
  return new File([file], name, { type: file.type, lastModified: file.lastModified });
}

/** Sends a single file, or resumes its unfinished upload. @throws Failure `changed`; and as `DirectUpload.run` */
async function sendFile(file: File, sending: SendContext): Promise<SentLink> {
  const { ports, options, unfinished, fresh } = sending;
  const uploadKey = `file ${file.size} ${file.lastModified}`;
  const kept = fresh ? null : await unfinished.read();
  if (kept?.startsWith("file ") && kept !== uploadKey) throw changed(`"${file.name}"`);
  const ignored = { onParts: () => undefined, onChunk: () => undefined };
  const { sent } = await sendTold(sending, uploadKey, (events) =>
    new DirectUpload(ports, file, options, { ...events, ...ignored }).run(),
  );
  return sent;
}
