import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";
import { readFragment } from "#domain/seal/fragment.ts";
import { deriveLinkKeys, unwrapSecret, type Bytes, type ContentKeys } from "#domain/seal/keys.ts";
import { openManifest, streamSizes, type Manifest, type ManifestFile } from "#domain/seal/manifest.ts";
import { deriveStreamKeys, type StreamKeys } from "#domain/seal/records.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import type { Unlocked } from "./answers.ts";
import { readPageUrl } from "./options.ts";
import { hashPassword } from "./password.ts";
import { EXIT, Problem } from "./problem.ts";
import { Server, type Fetch } from "./server.ts";
import type { WorkFolder } from "./work-folder.ts";

/** A transfer that was unlocked, with all functions that read its files. */
export interface Transfer {
  server: Server;
  manifest: Manifest;
  /** Whether the link has a download limit. */
  isLimited: boolean;
  /** Whether the link is a file that is still being uploaded and can be read meanwhile. */
  isFollowed: boolean;
  /** The number of files on the server that the manifest does not name. */
  unlisted: number;
  /** Whether the sender has removed the files of a stream, by the last known list. @param stream as in the manifest */
  isRemoved(stream: number): boolean;
  /** Asks the server whether the sender has removed a stream's files. @throws Problem `gone` for an ended link */
  askIfRemoved(stream: number): Promise<boolean>;
  /** @param stream as in the manifest */
  streamKeys(stream: number): Promise<StreamKeys>;
  /** @returns the path of a stream's bytes, for `Server.fetchBytes` */
  pathOf(stream: number): string;
  /** @returns the number of the stream's entry for a report; undefined for a link to a single file */
  entryOf(stream: number): number | undefined;
  /**
   * Reads the final list of an upload that was followed to its end.
   * @returns the SHA-256 of a file in it, hexadecimal @throws SealError without a final list, or without the file
   */
  findSum(file: ManifestFile): Promise<string>;
  /** Takes a download of a link with a limit, or resumes an interrupted download. @throws Problem `gone`, `notNow` */
  take(): Promise<void>;
  /** Unlocks the link anew, when its grant no longer works. @throws Problem */
  unlockAgain(): Promise<void>;
}

/**
 * @param work may hold the lease of an interrupted download, which resumes even when all downloads are used up
 * @param givePassword called when the link needs a password
 * @throws Problem `key`, `password`, `gone`, `notNow`, `network`; SealError
 */
export async function openTransfer(
  link: Link,
  work: WorkFolder,
  givePassword: () => Promise<string>,
  fetch: Fetch,
): Promise<Transfer> {
  const server = new Server(link.origin, link.downloadId, await work.readLease(), fetch);
  const { kdf, salt: saltText } = await server.findLock();
  const salt = bytesOf(saltText);
  // The server says whether a password is needed: the link's owner may have set or removed one since the link was sent.
  const passwordHash = kdf ? await hashPassword(await givePassword(), kdf) : new Uint8Array();
  const linkKeys = await deriveLinkKeys(link.linkSecret, passwordHash, salt);
  const access = toBase64url(linkKeys.access);
  const unlocked = await server.unlock(access);
  if (unlocked === null) throw wrongKey(kdf !== undefined);
  const { keys } = await unwrapSecret(bytesOf(unlocked.wrap), linkKeys, salt, bytesOf(unlocked.commitment));
  const manifest = await openManifest(keys, unlocked.revision, bytesOf(unlocked.manifest));
  const unlockAgain = async () => {
    const again = await server.unlock(access);
    if (again === null) throw new Problem(EXIT.key, "The sender has changed this link's password. Start again.");
    return again;
  };
  return {
    ...describe(server, unlocked, keys, manifest),
    ...(await findRemoved(server, unlocked, manifest)),
    take: async () => {
      await server.take();
      if (server.lease !== null) await work.writeLease(server.lease);
    },
    unlockAgain: async () => {
      await unlockAgain();
    },
    findSum: async (file) => {
      const { revision, manifest: sealed } = await unlockAgain();
      const { final, files } = await openManifest(keys, revision, bytesOf(sealed));
      const listed = files.find(
        ({ stream, at, size }) => stream === file.stream && at === file.at && size === file.size,
      );
      if (!final || listed?.sha256 === undefined)
        throw new SealError("manifest", "The final list of files does not name what was uploaded.");
      return listed.sha256;
    },
  };
}

/** Compares the server's entries with the manifest, which may name removed files, or lack files of the server. */
async function findRemoved(server: Server, { info }: Unlocked, { files }: Manifest) {
  const isTransfer = info.transfer !== undefined;
  let present = isTransfer && info.status === "ready" ? await server.findEntries() : null;
  const listed = new Set(files.map(({ stream }) => stream));
  const isRemoved = (stream: number) => present !== null && !present.has(stream);
  return {
    unlisted: Array.from(present ?? []).filter((stream) => !listed.has(stream)).length,
    isRemoved,
    askIfRemoved: async (stream: number) => {
      if (isTransfer) present = await server.findEntries();
      return isRemoved(stream);
    },
  };
}

function describe(server: Server, { info }: Unlocked, keys: ContentKeys, manifest: Manifest) {
  const isSingle = info.transfer === undefined;
  const isFollowed = isSingle && info.followUrl !== undefined;
  const content = isFollowed ? "/content?follow=1" : "/content";
  const sizes = streamSizes(manifest.files);
  return {
    server,
    manifest,
    isFollowed,
    isLimited: typeof info.guards?.maxDownloads === "number",
    streamKeys: (stream: number) => deriveStreamKeys(keys, stream, sizes.get(stream) ?? 0),
    pathOf: (stream: number) => (isSingle ? content : `/entries/${stream}/content`),
    entryOf: (stream: number) => (isSingle ? undefined : stream),
  };
}

function wrongKey(hasPassword: boolean): Problem {
  return hasPassword
    ? new Problem(
        EXIT.password,
        "This is not the password, or the link is not whole. Ask the sender if you are unsure.",
      )
    : new Problem(EXIT.key, "The key in this link does not open the transfer. Use the whole link, in quotes.");
}

/** @throws Problem `network` for text that is not base64url, which the server never sends */
function bytesOf(text: string): Bytes {
  const bytes = fromBase64url(text);
  if (bytes === null) throw new Problem(EXIT.network, "The server's answer cannot be read.");
  return bytes;
}

interface Link {
  origin: string;
  downloadId: string;
  linkSecret: Bytes;
}

/** @throws Problem `usage` for another address, `key` for a link whose key is missing, cut or of a newer page */
export function readLink(text: string): Link {
  const address = readPageUrl(text, "download");
  if (address === null)
    throw new Problem(EXIT.usage, "This is not a download link: https://…/download/…#… was expected.");
  const { origin, id, hash } = address;
  const fragment = readFragment(hash.slice(1));
  if (!("problem" in fragment)) return { origin, downloadId: id, linkSecret: fragment.linkSecret };
  if (fragment.problem === "newer")
    throw new Problem(EXIT.key, "A newer page made this link. Get the current mayfly-open.mjs from the site.");
  const missing = fragment.problem === "missing" ? ` ${countMissing(fragment.characters)}` : "";
  throw new Problem(EXIT.key, `The end of the link, behind #, is missing. Use the whole link, in quotes.${missing}`);
}

function countMissing(characters: number): string {
  return characters === 1 ? "1 character is missing." : `${characters} characters are missing.`;
}
