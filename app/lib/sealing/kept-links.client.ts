import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { setPreferenceCookie } from "../preference-cookie.ts";

const DATABASE = "sealed-links";
const STORE = "links";
/** Tells other tabs. */
const CHANNEL = "sealed-links";
/** Tells the page's frame, without a look into the database, that there are such links. */
const COOKIE = "keeps-links";

/** The links of this tab alone, where the browser keeps nothing for sites. */
const inMemory = new Map<string, KeptLink>();

/** @returns false where the browser keeps nothing for sites: this tab alone has it then */
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

/** Changes a kept link, and does nothing for another one, also for one that was forgotten meanwhile. */
export async function changeKeptLink(downloadId: string, change: Partial<KeptLink>): Promise<void> {
  const held = inMemory.get(downloadId);
  if (held) inMemory.set(downloadId, { ...held, ...change });
  else await changeStored(downloadId, change).catch(() => undefined);
  announce();
}

/** @returns null for a link that is not kept here */
export async function findKeptLink(downloadId: string): Promise<KeptLink | null> {
  const find = (store: IDBObjectStore) => store.get(downloadId) as IDBRequest<KeptLink | undefined>;
  return inMemory.get(downloadId) ?? (await inStore("readonly", find).catch(() => null)) ?? null;
}

export async function listKeptLinks(): Promise<KeptLink[]> {
  const list = (store: IDBObjectStore) => store.getAll() as IDBRequest<KeptLink[]>;
  return [...inMemory.values(), ...(await inStore("readonly", list).catch(() => []))];
}

/** The link of an unfinished upload of the same files. */
export async function findUnfinishedLink(fingerprint: string, userId: string | null): Promise<KeptLink | null> {
  const links = await listKeptLinks();
  return links.find((link) => link.fingerprint === fingerprint && link.userId === userId) ?? null;
}

export async function forgetLink(downloadId: string): Promise<void> {
  await forget([downloadId]);
}

/** Forgets the links of somebody who has left. Those of visitors belong to the browser, and stay. */
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

/** Changes in any tab of this browser. @returns ends it */
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

/** Changes a kept link in one transaction, so that nobody changes it in between. */
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

/** Once for each page load. */
let hasAskedToPersist = false;

/** Asks the browser not to clear the links when it needs room. Not awaited: some browsers ask the person. */
export function persistStorage(): void {
  if (hasAskedToPersist) return;
  hasAskedToPersist = true;
  const ask = async () => (await navigator.storage.persisted()) || navigator.storage.persist();
  ask().catch(() => undefined);
}
