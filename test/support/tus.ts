import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { UploadRecord } from "#durable-objects/upload/state.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import { programOf, type Program } from "./v1.ts";
import { Client, putOnPlan, signUp } from "./worker.ts";

export const SPOKEN = { "tus-resumable": "1.0.0" };
export const BYTES = { "content-type": "application/offset+octet-stream" };

/** As `Upload-Metadata`. */
export function metadata(pairs: Record<string, string>): string {
  const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${toBase64(value)}`)
    .join(",");
}

const anybody = new Client();

/** What comes to the address of an upload; it needs no key. */
export function call(path: string, method: string, headers: HeadersInit = {}, body?: BodyInit): Promise<Response> {
  const all = new Headers({ ...SPOKEN, ...Object.fromEntries(new Headers(headers)) });
  return anybody.fetch(path, { method, headers: all, ...(body !== undefined && { body }) });
}

/** @param size null for an upload that says its length later */
export function create(
  program: Program,
  size: number | null,
  more: Record<string, string> = {},
  body?: BodyInit,
): Promise<Response> {
  const headers = {
    ...SPOKEN,
    ...(size === null ? { "upload-defer-length": "1" } : { "upload-length": String(size) }),
    "upload-metadata": metadata({ filename: "a file.txt" }),
    ...more,
  };
  return program.fetch("/tus", { method: "POST", headers, ...(body !== undefined && { body }) });
}

export interface Tus {
  path: string;
  id: string;
  downloadId: string;
}

/** @throws Error when the start is refused */
export async function tusOf(created: Response | Promise<Response>): Promise<Tus> {
  const response = await created;
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  const path = new URL(response.headers.get("location") ?? "").pathname;
  const downloadId = response.headers.get("mayfly-link")?.split("/").at(-1) ?? "";
  return { path, id: path.split("/").at(-2) ?? "", downloadId };
}

export async function startTus(size: number, program?: Program): Promise<Tus> {
  return tusOf(create(program ?? (await newProgram()), size));
}

/** Of a new person, on a plan that takes large files. */
export async function newProgram(): Promise<Program & { id: string }> {
  const person = await signUp();
  await putOnPlan(person.email, "professional");
  return programOf(person);
}

export function send(
  { path }: Tus,
  offset: number,
  body: BodyInit,
  more: Record<string, string> = {},
): Promise<Response> {
  return call(path, "PATCH", { ...BYTES, "upload-offset": String(offset), ...more }, body);
}

export async function offsetOf({ path }: Tus): Promise<number> {
  const response = await call(path, "HEAD");
  if (response.status !== 200) throw new Error(`HEAD answered ${response.status}`);
  return Number(response.headers.get("upload-offset"));
}

/** Gives the bytes and then stays open, until it is closed or broken. */
export function openBody(bytes: Uint8Array<ArrayBuffer>): {
  body: ReadableStream<Uint8Array>;
  given: Promise<void>;
  close(): Promise<void>;
  breakOff(): Promise<void>;
} {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const given = writer.write(bytes);
  given.catch(() => undefined);
  return {
    body: readable,
    given,
    close: () => writer.close(),
    breakOff: () => writer.abort(new Error("the line broke")),
  };
}

export async function checksumOf(bytes: Uint8Array<ArrayBuffer>, name = "sha1"): Promise<Record<string, string>> {
  const algorithm = { sha1: "SHA-1", sha256: "SHA-256", md5: "MD5" }[name] ?? "";
  const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
  return { "upload-checksum": `${name} ${btoa(String.fromCharCode(...digest))}` };
}

export function recordOf({ id }: Tus): Promise<UploadRecord | null> {
  const stub = env.UPLOADS.get(env.UPLOADS.idFromName(id));
  return runInDurableObject(stub, (_, { storage }) => new UploadStore(storage).find());
}
