/* global self, caches, Request, Response */

/**
 * Takes a file that another app shares with the installed site, before it leaves the device, and opens the home page,
 * which finds it (app/features/upload/shared-file.ts). Its scope is the share target's address alone: no other request comes by here.
 */
const CACHE = "shared-file";
const KEY = "/share/file";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("fetch", (event) => {
  if (event.request.method === "POST") event.respondWith(take(event.request));
});

/** Leads home once the file is kept. Without one, or without room for it, the server says what to do instead. */
async function take(request) {
  try {
    const file = (await request.formData()).get("file");
    const headers = {
      "content-type": file.type || "application/octet-stream",
      "x-name": encodeURIComponent(file.name),
      "x-last-modified": String(file.lastModified),
    };
    const cache = await caches.open(CACHE);
    await cache.put(new Request(KEY), new Response(file, { headers }));
    return Response.redirect("/?shared", 303);
  } catch {
    return Response.redirect("/share", 303);
  }
}
