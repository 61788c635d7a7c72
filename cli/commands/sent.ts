import type { CallAnswer } from "#domain/v1/calls.ts";
import { formatBytes } from "#domain/units.ts";
import { readPassword } from "../../opener/password.ts";
import { shown } from "../../opener/show.ts";
import { EXIT, Failure } from "../failure.ts";
import { readLinkAddress } from "../get/link-address.ts";
import type { V1 } from "../net/v1.ts";
import { onlyOne, readCount, readExpiration, usage, type OptionsOf } from "../options.ts";
import { openCalls } from "../session.ts";
import { Terminal, writeResult } from "../terminal.ts";

type Sent = CallAnswer<"readTransfer">;

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** Lists what was sent, newest first. */
export async function ls({ values, positionals }: OptionsOf<"ls">): Promise<void> {
  if (positionals.length > 0) throw usage("ls takes nothing.");
  const items: Sent[] = [];
  for await (const sent of allSent(await openCalls(values))) items.push(sent);
  if (values.json) writeResult(JSON.stringify({ items }));
  else if (items.length > 0) writeResult(items.map(rowOf).join("\n"));
}

/** Shows one. */
export async function info({ values, positionals }: OptionsOf<"info">): Promise<void> {
  const v1 = await openCalls(values);
  const sent = await findSent(v1, onlyOne(positionals, "one link or id"));
  writeResult(values.json ? JSON.stringify(sent) : describe(sent));
}

/** Changes its name, end and message, or its guards. */
export async function edit({ values, positionals }: OptionsOf<"edit">): Promise<void> {
  const reference = onlyOne(positionals, "one link or id");
  const { name, message } = values;
  const expires = readExpiration(values.expires);
  const guards = await readGuards(values);
  const hasWords = name !== undefined || message !== undefined || expires !== undefined;
  if (!hasWords && guards === null) throw usage("Say what is to change.");
  const v1 = await openCalls(values);
  let sent = await findSent(v1, reference);
  const params = { id: sent.id };
  if (hasWords) sent = await v1.call("changeTransfer", { params, body: { name, message, expires } });
  if (guards !== null) sent = await v1.call("changeTransfer", { params, body: { guards } });
  writeResult(values.json ? JSON.stringify(sent) : describe(sent));
}

async function readGuards(values: OptionsOf<"edit">["values"]) {
  const { downloads } = values;
  const isPiped = values["password-stdin"] ?? false;
  const ways = [values.password !== undefined, isPiped, values["no-password"] ?? false];
  if (ways.filter(Boolean).length > 1) throw usage("Give one password, or --no-password.");
  const password = isPiped ? await readPassword() : (values.password ?? (values["no-password"] ? null : undefined));
  if (password === undefined && downloads === undefined) return null;
  return {
    ...(password !== undefined && { password }),
    ...(downloads !== undefined && { maxDownloads: downloads === "any" ? null : readCount("--downloads", downloads) }),
  };
}

/** Ends links, and deletes their bytes. */
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
  if (values.json) writeResult(JSON.stringify({ deleted }));
}

/** @param reference an id, a link, or the part of a link that names it @throws Failure `gone` */
async function findSent(v1: V1, reference: string): Promise<Sent> {
  if (ID.test(reference)) return v1.call("readTransfer", { params: { id: reference } });
  const address = readLinkAddress(reference);
  if (address !== null && address.origin !== v1.origin) throw usage(`This link is not of ${v1.origin}.`);
  const downloadId = address?.downloadId ?? reference;
  for await (const sent of allSent(v1)) if (sent.downloadId === downloadId) return sent;
  throw new Failure(EXIT.gone, "There is no such link among those that were sent.");
}

async function* allSent(v1: V1): AsyncGenerator<Sent> {
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page: CallAnswer<"listTransfers"> = await v1.call("listTransfers", { query: { cursor } });
    yield* page.items;
    cursor = page.next;
  }
}

function rowOf({ link, name, size, expiresAt, isExpired, downloads }: Sent): string {
  const end = isExpired ? "expired   " : (expiresAt?.slice(0, 10) ?? "never     ");
  return `${link}  ${end}  ${formatBytes(size).padStart(11)}  ${String(downloads).padStart(4)} ↓  ${shown(name)}`;
}

function describe(sent: Sent): string {
  const { guards } = sent;
  const count =
    guards?.maxDownloads == null ? `${sent.downloads}` : `${guards.downloadsUsed} of ${guards.maxDownloads}`;
  const rows: [string, string | null | undefined][] = [
    ["Link", sent.link],
    ["Id", sent.id],
    ["Name", sent.name],
    ["Size", formatBytes(sent.size)],
    ["Files", sent.entries?.toString()],
    ["Message", sent.message],
    ["Sent", sent.uploadedAt],
    ["Ends", sent.expiresAt ?? "never"],
    ["Downloads", count],
    ["Password", guards?.password ? "yes" : undefined],
    ["Encrypted", guards?.sealed ? "yes" : undefined],
  ];
  return rows.flatMap(([title, text]) => (text ? [`${`${title}:`.padEnd(11)}${shown(text)}`] : [])).join("\n");
}
