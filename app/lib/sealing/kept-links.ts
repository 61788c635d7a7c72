import { setPreferenceCookie } from "../preference-cookie.ts";
import type { Manifest } from "#domain/seal/manifest.ts";
import type { LinkSecrets } from "./link-keys.ts";

/** What this browser keeps of a sealed link, so that it can show it again and go on with it. */
export interface KeptLink extends LinkSecrets {
  downloadId: string;
  /** Of the file, which is the upload's too. */
  uploadId: string;
  /** Of whom it was sent by; null for a visitor. */
  userId: string | null;
  manifest: Manifest;
  /** What was removed of an unfinished transfer: numbers and paths. It is not sent again. */
  removed?: [number, string][] | undefined;
  /** Of the plain files, to find the keys when they are chosen again; null once everything has arrived. */
  fingerprint: string | null;
  /** Epoch milliseconds; null for never, and while it is unknown. */
  expiresAt: number | null;
}

const DATABASE = "sealed-links";
const STORE = "links";
/** Tells the page's frame, without a look into the database, that there are such links. */
const COOKIE = "keeps-links";

/** @throws DOMException where the browser keeps nothing for sites */
export async function keepLink(link: KeptLink): Promise<void> {
  await inStore("readwrite", (store) => store.put(link));
  setPreferenceCookie(COOKIE, "1");
  announce();
}

/** Changes a kept link, and does nothing for another one. @throws as `keepLink` */
export async function changeKeptLink(downloadId: string, change: Partial<KeptLink>): Promise<void> {
  const link = await findKeptLink(downloadId);
  if (link) await keepLink({ ...link, ...change });
}

/** @returns null for a link that is not kept here, also where the browser keeps nothing */
export async function findKeptLink(downloadId: string): Promise<KeptLink | null> {
  const find = (store: IDBObjectStore) => store.get(downloadId) as IDBRequest<KeptLink | undefined>;
  return (await inStore("readonly", find).catch(() => null)) ?? null;
}

/** @returns empty where the browser keeps nothing */
export async function listKeptLinks(): Promise<KeptLink[]> {
  const list = (store: IDBObjectStore) => store.getAll() as IDBRequest<KeptLink[]>;
  return inStore("readonly", list).catch(() => []);
}

/** The link of an unfinished upload of the same files. */
export async function findUnfinishedLink(fingerprint: string, userId: string | null): Promise<KeptLink | null> {
  const links = await listKeptLinks();
  return links.find((link) => link.fingerprint === fingerprint && link.userId === userId) ?? null;
}

export async function forgetLink(downloadId: string): Promise<void> {
  await inStore("readwrite", (store) => store.delete(downloadId)).catch(() => undefined);
  announce();
}

export async function forgetAllLinks(): Promise<void> {
  await inStore("readwrite", (store) => store.clear()).catch(() => undefined);
  setPreferenceCookie(COOKIE, null);
  announce();
}

const listeners = new Set<() => void>();

/** @returns ends it */
export function onKeptLinksChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => {
        resolve();
      };
      transaction.onabort = () => {
        reject(transaction.error ?? new DOMException("not kept", "AbortError"));
      };
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "downloadId" });
    };
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new DOMException("not opened", "UnknownError"));
    };
  });
}
