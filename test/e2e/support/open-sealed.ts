import type { APIRequestContext, Page } from "@playwright/test";
import { argon2id } from "hash-wasm";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { readFragment } from "#domain/seal/fragment.ts";
import { deriveLinkKeys, unwrapSecret, type Bytes, type ContentKeys } from "#domain/seal/keys.ts";
import { openManifest, type Manifest } from "#domain/seal/manifest.ts";
import { checkKdf, PASSWORD_HASH_BYTES } from "#domain/seal/password.ts";
import { deriveStreamKeys, openRecords } from "#domain/seal/records.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import type { LockedSeal, UnlockSealedAnswer } from "#domain/wire.ts";

interface OpenedLink {
  manifest: Manifest;
  keys: ContentKeys;
  /** By names. */
  files: Map<string, Uint8Array>;
  /** What must never have been sent: the link's key, the transfer's own, as base64url. */
  secrets: string[];
}

/** Opens a sealed link as a program would, with the whole link alone. */
export async function openSealed(request: APIRequestContext, link: string, password = ""): Promise<OpenedLink> {
  const [address = "", fragment = ""] = link.split("#");
  const path = `/api/files/download/${address.split("/").at(-1)}`;
  const read = readFragment(fragment);
  if ("problem" in read) throw new Error(`the link is ${read.problem}`);
  const locked = (await (await request.get(path)).json()) as LockedSeal;
  const hash = locked.kdf ? await hashOf(password, locked.kdf) : new Uint8Array();
  const salt = bytesOf(locked.salt);
  const linkKeys = await deriveLinkKeys(read.linkSecret, hash, salt);
  const unlocked = await request.post(`${path}/unlock`, { data: { access: toBase64url(linkKeys.access) } });
  if (!unlocked.ok()) throw new Error(`the unlock answered ${unlocked.status()}`);
  const opened = (await unlocked.json()) as UnlockSealedAnswer;
  const { secret, keys } = await unwrapSecret(bytesOf(opened.wrap), linkKeys, salt, bytesOf(opened.commitment));
  const manifest = await openManifest(keys, opened.revision, bytesOf(opened.manifest));
  const files = new Map<string, Uint8Array>();
  for (const { name, stream, at, size } of manifest.files) {
    const content = opened.info.transfer ? `${path}/entries/${stream}/content` : `${path}/content`;
    const response = await request.get(content);
    if (!response.ok()) throw new Error(`${name} answered ${response.status()}`);
    const sealed = new Uint8Array(await response.body());
    const streamKeys = await deriveStreamKeys(keys, stream, openedSize(sealed.length) ?? -1);
    files.set(name, (await openRecords(streamKeys, 0, sealed)).subarray(at, at + size));
  }
  return { manifest, keys, files, secrets: [toBase64url(read.linkSecret), toBase64url(secret)] };
}

async function hashOf(password: string, kdf: NonNullable<LockedSeal["kdf"]>): Promise<Bytes> {
  const { mKiB: memorySize, t: iterations, p: parallelism } = kdf;
  const costs = { memorySize, iterations, parallelism, hashLength: PASSWORD_HASH_BYTES };
  const hash = await argon2id({ password, salt: checkKdf(kdf), ...costs, outputType: "binary" });
  return new Uint8Array(hash);
}

function bytesOf(text: string): Bytes {
  const bytes = fromBase64url(text);
  if (!bytes) throw new Error("no base64url");
  return bytes;
}

/** Collects everything that a page sends: addresses, headers and bodies. */
export function collectSent(page: Page): { texts: string[] } {
  const texts: string[] = [];
  page.context().on("request", (request) => {
    texts.push(request.url(), JSON.stringify(request.headers()), request.postDataBuffer()?.toString("latin1") ?? "");
  });
  page.context().on("page", (opened) => {
    opened.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => texts.push(String(payload)));
    });
  });
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => texts.push(String(payload)));
  });
  return { texts };
}
