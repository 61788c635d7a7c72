/* global self, caches, Request, Response */

/**
 * Takes files that another app shares with the installed site, before they leave the device, and opens the home page,
 * which finds them (app/features/upload/take-shared-files.client.ts). Its scope is the share target's address alone: no other request comes by here.
 */
const CACHE = "shared-file";
const FIRST_KEY = "/share/file";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("fetch", (event) => {
  if (event.request.method === "POST") event.respondWith(take(event.request));
});

/** Leads home once the files are kept. Without one, or without room for them, the server says what to do instead. */
async function take(request) {
  try {
    const [first, ...others] = (await request.formData()).getAll("file");
    // What an earlier share left behind.
    await caches.delete(CACHE);
    const cache = await caches.open(CACHE);
    for (const [index, file] of others.entries()) await keep(cache, `${FIRST_KEY}/${index + 1}`, file);
    // The page takes the first one first: by then, the others are there.
    await keep(cache, FIRST_KEY, first);
    return Response.redirect("/?shared", 303);
  } catch {
    return Response.redirect("/share", 303);
  }
}

async function keep(cache, key, file) {
  const headers = {
    "content-type": file.type || "application/octet-stream",
    "x-name": encodeURIComponent(file.name),
    "x-last-modified": String(file.lastModified),
  };
  await cache.put(new Request(key), new Response(file, { headers }));
}
