import { EXPIRATIONS } from "#domain/expiry.ts";
import { REQUEST_NOTICES } from "#domain/notices/when-mailed.ts";
import { REQUEST_LIFETIMES } from "#domain/requests/limits.ts";
import { parseSize, formatBytes } from "#domain/units.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { EXIT, Failure } from "../failure.ts";
import { requireRequestUrl } from "../links.ts";
import { type V1, allOf, listAll } from "../net/v1.ts";
import { onlyOne, readChoice, readCount, usage, type OptionsOf } from "../options.ts";
import { openCalls } from "../session.ts";
import { Terminal, writeResult } from "../terminal.ts";
import { readNewPassword, fieldsOf, ID } from "./sent.ts";

type UploadRequest = CallAnswer<"createRequest">;
type Received = CallAnswer<"listReceived">["items"][number];
type Values = OptionsOf<"request">["values"];

const ASKED = ["name", "email"];

/** Subcommands that list or change existing upload requests. @throws the errors that `describeError` describes */
const ACTIONS: Record<string, (values: Values, references: string[]) => Promise<void>> = {
  list,
  received,
  edit,
  close: (values, references) => setClosed(values, references, true),
  open: (values, references) => setClosed(values, references, false),
  rm,
};

/** Creates an upload request, or runs a subcommand on existing ones. @throws errors that `describeError` describes */
export async function request({ values, positionals }: OptionsOf<"request">): Promise<void> {
  const [name, ...references] = positionals;
  if (name === undefined) {
    await make(values);
    return;
  }
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    throw usage(`There is no "request ${name}": it is one of ${Object.keys(ACTIONS).join(", ")}.`);
  }
  const { json: _json, quiet: _quiet, ...others } = values;
  if (name !== "edit" && Object.keys(others).length > 0) throw usage(`"request ${name}" takes no such options.`);
  await action(values, references);
}

async function make(values: Values): Promise<void> {
  const { title, password, ...bounds } = await readBounds(values);
  if (title === undefined) throw usage("Say with --title what you ask for.");
  if (password === null) throw usage("--no-password is for requests that have one.");
  const v1 = await openCalls(values);
  const made = await v1.call("createRequest", { body: { ...bounds, title, ...(password && { password }) } });
  writeResult(values, made, ({ link }) => [link]);
}

/** @returns the body of a call. Options that were not given are undefined, and are not sent. @throws Failure `usage` */
async function readBounds(values: Values) {
  const { title, note, times, kinds, ask } = values;
  return {
    title,
    note,
    expiresIn: readChoice("--expires", values.expires, REQUEST_LIFETIMES),
    keepFor: readChoice("--keep", values.keep, EXPIRATIONS),
    mostBytes: readBound(values.most, (text) => readSize("--most", text)),
    mostFileBytes: readBound(values["most-file"], (text) => readSize("--most-file", text)),
    mostTransfers: readBound(times, (text) => readCount("--times", text)),
    kinds: readBound(kinds, listOf),
    ...(ask !== undefined && readAsked(ask)),
    notify: readChoice("--notify", values.notify, REQUEST_NOTICES),
    password: await readNewPassword(values),
  };
}

/** @returns null for "any", which removes the bound; undefined for an option that was not given */
function readBound<Bound>(text: string | undefined, read: (text: string) => Bound): Bound | null | undefined {
  if (text === undefined) return undefined;
  return text === "any" ? null : read(text);
}

/** @returns bytes @throws Failure `usage` */
function readSize(option: string, text: string): number {
  const bytes = parseSize(text);
  if (!bytes) throw usage(`${option} takes a size with its unit, such as MB or GB, not "${text}".`);
  return bytes;
}

function listOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((item) => item !== "");
}

function readAsked(text: string) {
  const asked = text === "nothing" ? [] : listOf(text);
  if (asked.some((item) => !ASKED.includes(item)))
    throw usage("--ask takes name, email, both with a comma, or nothing.");
  return { asksName: asked.includes("name"), asksEmail: asked.includes("email") };
}

async function list(values: Values, references: string[]): Promise<void> {
  if (references.length > 0) throw usage("request list takes nothing.");
  const items = await listAll(await openCalls(values), "listRequests");
  writeList(values, items, rowOf);
}

async function received(values: Values, references: string[]): Promise<void> {
  const v1 = await openCalls(values);
  const query = references.length > 0 ? { request: await findId(v1, onlyOne(references, "one link or id")) } : {};
  writeList(values, await listAll(v1, "listReceived", query), receivedRowOf);
}

async function edit(values: Values, references: string[]): Promise<void> {
  const reference = onlyOne(references, "one link or id");
  const body = await readBounds(values);
  if (Object.values(body).every((value) => value === undefined)) throw usage("Say what is to change.");
  const v1 = await openCalls(values);
  const changed = await v1.call("changeRequest", { params: { id: await findId(v1, reference) }, body });
  writeResult(values, changed, describe);
}

async function setClosed(values: Values, references: string[], closed: boolean): Promise<void> {
  const items = await forEach(values, references, (v1, id) =>
    v1.call("changeRequest", { params: { id }, body: { closed } }),
  );
  const terminal = new Terminal(values.quiet ?? false);
  for (const { title, state } of items) terminal.note(`${title}: ${state}`);
  writeResult(values, { items }, () => []);
}

async function rm(values: Values, references: string[]): Promise<void> {
  const deleted = await forEach(values, references, async (v1, id) => {
    await v1.call("deleteRequest", { params: { id } });
    new Terminal(values.quiet ?? false).note(`Deleted ${id}`);
    return id;
  });
  writeResult(values, { deleted }, () => []);
}

async function forEach<Result>(
  values: Values,
  references: string[],
  change: (v1: V1, id: string) => Promise<Result>,
): Promise<Result[]> {
  if (references.length === 0) throw usage("Give links or ids.");
  const v1 = await openCalls(values);
  const results: Result[] = [];
  for (const reference of references) results.push(await change(v1, await findId(v1, reference)));
  return results;
}

/** @param reference the id or the link of a request @throws Failure `gone` */
async function findId(v1: V1, reference: string): Promise<string> {
  if (ID.test(reference)) return reference;
  const { origin, token } = requireRequestUrl(reference);
  if (origin !== v1.origin) throw usage(`This link is not of ${v1.origin}.`);
  for await (const { id, link } of allOf(v1, "listRequests")) if (link.endsWith(`/${token}`)) return id;
  throw new Failure(EXIT.gone, "There is no such link among your requests.");
}

function writeList<Item>(values: Values, items: Item[], toRow: (item: Item) => string): void {
  writeResult(values, { items }, () => items.map(toRow));
}

function rowOf({ link, state, expiresAt, receivedBytes, receivedTransfers, title }: UploadRequest): string {
  const end = expiresAt?.slice(0, 10) ?? "never     ";
  const count = String(receivedTransfers).padStart(4);
  return `${link}  ${state.padEnd(9)}  ${end}  ${formatBytes(receivedBytes).padStart(11)}  ${count} ↑  ${title}`;
}

function receivedRowOf({ receivedAt, size, requestTitle, title, senderName, senderEmail }: Received): string {
  const sender = [senderName, senderEmail].filter((text) => text !== null).join(", ");
  const words = [title, requestTitle ?? "", sender].filter((text) => text !== "");
  return `${receivedAt.slice(0, 10)}  ${formatBytes(size).padStart(11)}  ${words.join("  ")}`;
}

function describe(made: UploadRequest): string[] {
  const { mostBytes, mostFileBytes, mostTransfers, kinds } = made;
  const sizeOf = (bytes: number | null) => bytes && formatBytes(bytes);
  return fieldsOf([
    ["Link", made.link],
    ["Id", made.id],
    ["Title", made.title],
    ["Note", made.note],
    ["State", made.state],
    ["Ends", made.expiresAt ?? "never"],
    ["Kept", made.keepFor],
    ["Most", sizeOf(mostBytes)],
    ["Each file", sizeOf(mostFileBytes)],
    ["Times", mostTransfers],
    ["Kinds", kinds?.join(", ")],
    ["Asks", [made.asksName && "name", made.asksEmail && "email"].filter(Boolean).join(", ")],
    ["Password", made.hasPassword && "yes"],
    ["Mail", made.notify],
    ["Received", formatBytes(made.receivedBytes)],
    ["Transfers", made.receivedTransfers],
  ]);
}
