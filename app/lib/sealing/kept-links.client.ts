import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { setPreferenceCookie } from "../preference-cookie.ts";

const DATABASE = "sealed-links";
const STORE = "links";
/** The BroadcastChannel that tells other tabs of changed links. */
const CHANNEL = "sealed-links";
/** A cookie that says that this browser has kept links, so that pages need not open the database to know. */
const COOKIE = "keeps-links";

/** Kept links where the browser refuses IndexedDB. Closing the tab loses these links. */
const inMemory = new Map<string, KeptLink>();

/** @returns false if the browser refuses IndexedDB, so that only this tab keeps the link */
export async function keepLink(link: KeptLink): Promise<boolean> {
  const isKept = await inStore("readwrite", (store) => store.put(link)).then(
    () => true,
    () => false,
  );
  if (isKept) setPreferenceCookie(COOKIE, "1");
  else inMemory.set(link.downloadId, link);
  announce();
  return isKept;
}

/** Changes a kept link. Does nothing for a link that this browser has never kept or has forgotten. */
export async function changeKeptLink(downloadId: string, change: Partial<KeptLink>): Promise<void> {
  const held = inMemory.get(downloadId);
  if (held) inMemory.set(downloadId, { ...held, ...change });
  else await changeStored(downloadId, change).catch(() => undefined);
  announce();
}

/** @returns null for a link that this browser has not kept */
export async function findKeptLink(downloadId: string): Promise<KeptLink | null> {
  const find = (store: IDBObjectStore) => store.get(downloadId) as IDBRequest<KeptLink | undefined>;
  return inMemory.get(downloadId) ?? (await inStore("readonly", find).catch(() => null)) ?? null;
}

export async function listKeptLinks(): Promise<KeptLink[]> {
  const list = (store: IDBObjectStore) => store.getAll() as IDBRequest<KeptLink[]>;
  return [...inMemory.values(), ...(await inStore("readonly", list).catch(() => []))];
}

/** The kept link of an unfinished upload of the same files. */
export async function findUnfinishedLink(fingerprint: string, userId: string | null): Promise<KeptLink | null> {
  const links = await listKeptLinks();
  return links.find((link) => link.fingerprint === fingerprint && link.userId === userId) ?? null;
}

export async function forgetLink(downloadId: string): Promise<void> {
  await forget([downloadId]);
}

/** Forgets the links of an account that has signed out. Links of visitors belong to the browser and stay. */
export async function forgetLinksOf(userId: string): Promise<void> {
  const links = await listKeptLinks();
  await forget(links.filter((link) => link.userId === userId).map(({ downloadId }) => downloadId));
}

async function forget(downloadIds: readonly string[]): Promise<void> {
  for (const downloadId of downloadIds) {
    inMemory.delete(downloadId);
    await inStore("readwrite", (store) => store.delete(downloadId)).catch(() => undefined);
  }
  const left = await inStore("readonly", (store) => store.count()).catch(() => 0);
  if (left === 0) setPreferenceCookie(COOKIE, null);
  announce();
}

const listeners = new Set<() => void>();

/** Calls `listener` when any tab of this browser changes a kept link. @returns a function that ends the calls */
export function onKeptLinksChange(listener: () => void): () => void {
  listeners.add(listener);
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = listener;
  return () => {
    channel.close();
    listeners.delete(listener);
  };
}

function announce(): void {
  for (const listener of listeners) listener();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}

/** Changes a kept link in one transaction, so that no other change comes in between. */
async function changeStored(downloadId: string, change: Partial<KeptLink>): Promise<void> {
  await inStore("readwrite", (store) => {
    const finding = store.get(downloadId) as IDBRequest<KeptLink | undefined>;
    finding.onsuccess = () => {
      if (finding.result) store.put({ ...finding.result, ...change });
    };
    return finding;
  });
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
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("not kept", "AbortError"));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "downloadId" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException("not opened", "UnknownError"));
  });
}

/** Ensures that each page load asks only once. */
let hasAskedToPersist = false;

/**
 * Asks the browser not to evict the kept links for space. Does not wait for the browser's answer, because some browsers
 * ask the person.
 */
export function persistStorage(): void {
  if (hasAskedToPersist) return;
  hasAskedToPersist = true;
  const ask = async () => (await navigator.storage.persisted()) || navigator.storage.persist();
  ask().catch(() => undefined);
}
