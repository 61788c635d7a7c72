import { formatBytes } from "#domain/units.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { readPassword } from "../../opener/password.ts";
import { EXIT, Failure } from "../failure.ts";
import { readLinkUrl } from "../links.ts";
import { type V1, allOf, listAll } from "../net/v1.ts";
import { onlyOne, readCount, readEnd, usage, type OptionsOf } from "../options.ts";
import { openCalls } from "../session.ts";
import { Terminal, writeResult } from "../terminal.ts";

type Sent = CallAnswer<"readTransfer">;

export const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Lists the sent links, newest first. */
export async function ls({ values, positionals }: OptionsOf<"ls">): Promise<void> {
  if (positionals.length > 0) throw usage("ls takes nothing.");
  const items = await listAll(await openCalls(values), "listTransfers");
  writeResult(values, { items }, () => items.map(rowOf));
}

/** Shows one sent link. */
export async function info({ values, positionals }: OptionsOf<"info">): Promise<void> {
  const v1 = await openCalls(values);
  const sent = await findSent(v1, onlyOne(positionals, "one link or id"));
  writeResult(values, sent, describe);
}

/** Changes a sent link's name, end and message, or its password and download limit. */
export async function edit({ values, positionals }: OptionsOf<"edit">): Promise<void> {
  const reference = onlyOne(positionals, "one link or id");
  const { name, message } = values;
  const { expires, expiresAt } = readEnd(values);
  const guards = await readGuards(values);
  const words = { name, message, expires, expiresAt };
  const hasWords = Object.values(words).some((value) => value !== undefined);
  if (!hasWords && guards === null) throw usage("Say what is to change.");
  const v1 = await openCalls(values);
  let sent = await findSent(v1, reference);
  const params = { id: sent.id };
  if (hasWords) sent = await v1.call("changeTransfer", { params, body: words });
  if (guards !== null) sent = await v1.call("changeTransfer", { params, body: { guards } });
  writeResult(values, sent, describe);
}

async function readGuards(values: OptionsOf<"edit">["values"]) {
  const { downloads } = values;
  const password = await readNewPassword(values);
  if (password === undefined && downloads === undefined) return null;
  return {
    ...(password !== undefined && { password }),
    ...(downloads !== undefined && { maxDownloads: downloads === "any" ? null : readCount("--downloads", downloads) }),
  };
}

/** Ends sent links, and deletes their bytes. */
export async function rm({ values, positionals }: OptionsOf<"rm">): Promise<void> {
  if (positionals.length === 0) throw usage("Give links or ids.");
  const v1 = await openCalls(values);
  const deleted: string[] = [];
  for (const reference of positionals) {
    const { id, name } = await findSent(v1, reference);
    await v1.call("deleteTransfer", { params: { id } });
    deleted.push(id);
    new Terminal(values.quiet ?? false).note(`Deleted ${name}`);
  }
  writeResult(values, { deleted }, () => []);
}

/** @param reference an id, a link, or the download id in a link @throws Failure `gone` */
async function findSent(v1: V1, reference: string): Promise<Sent> {
  if (ID.test(reference)) return v1.call("readTransfer", { params: { id: reference } });
  const address = readLinkUrl(reference);
  if (address !== null && address.origin !== v1.origin) throw usage(`This link is not of ${v1.origin}.`);
  const downloadId = address?.downloadId ?? reference;
  for await (const sent of allOf(v1, "listTransfers")) if (sent.downloadId === downloadId) return sent;
  throw new Failure(EXIT.gone, "There is no such link among those that were sent.");
}

function rowOf({ link, name, size, expiresAt, isExpired, downloads }: Sent): string {
  const end = isExpired ? "expired   " : (expiresAt?.slice(0, 10) ?? "never     ");
  return `${link}  ${end}  ${formatBytes(size).padStart(11)}  ${String(downloads).padStart(4)} ↓  ${name}`;
}

function describe(sent: Sent): string[] {
  const { guards } = sent;
  const count =
    guards?.maxDownloads == null ? `${sent.downloads}` : `${guards.downloadsUsed} of ${guards.maxDownloads}`;
  return fieldsOf([
    ["Link", sent.link],
    ["Id", sent.id],
    ["Name", sent.name],
    ["Size", formatBytes(sent.size)],
    ["Files", sent.entries],
    ["Message", sent.message],
    ["Sent", sent.uploadedAt],
    ["Ends", sent.expiresAt ?? "never"],
    ["Downloads", count],
    ["Password", guards?.password && "yes"],
    ["Encrypted", guards?.sealed && "yes"],
  ]);
}

/** @param rows title and text. Rows without a text are left out. */
export function fieldsOf(rows: [title: string, text: string | number | false | null | undefined][]): string[] {
  return rows.flatMap(([title, text]) => (text ? [`${`${title}:`.padEnd(11)}${text}`] : []));
}

interface PasswordOptions {
  password?: string;
  /** Reads the password from the first line of standard input. */
  "password-stdin"?: boolean;
  "no-password"?: boolean;
}

/** @returns null to remove the password; undefined to keep it @throws Failure `usage` for two of the options at once */
export async function readNewPassword(options: PasswordOptions): Promise<string | null | undefined> {
  const { password, "password-stdin": isPiped = false, "no-password": isTakenAway = false } = options;
  if ([password !== undefined, isPiped, isTakenAway].filter(Boolean).length > 1) {
    throw usage("Give one password, or --no-password.");
  }
  if (isPiped) return readPassword();
  return isTakenAway ? null : password;
}
