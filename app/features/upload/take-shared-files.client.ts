/**
 * The cache and its entries in which public/share-worker.js stores the files: the first under "/share/file", the others
 * under "/share/file/1" and on.
 */
const CACHE_NAME = "shared-file";
const FIRST_KEY = "/share/file";

/** Removes the shared files from the cache and returns them. */
export async function takeSharedFiles(): Promise<File[]> {
  const cache = await caches.open(CACHE_NAME);
  const files: File[] = [];
  let key = FIRST_KEY;
  for (let response = await cache.match(key); response; response = await cache.match(key)) {
    // Another tab may take the files at the same time: only the tab that deletes the first file gets them.
    if (!(await cache.delete(key)) && files.length === 0) return [];
    files.push(await toFile(response));
    key = `${FIRST_KEY}/${files.length}`;
  }
  return files;
}

async function toFile(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get("x-name") ?? "file");
  const lastModified = Number(response.headers.get("x-last-modified"));
  return new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "", lastModified });
}
