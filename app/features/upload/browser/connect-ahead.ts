/** The element stays in the page: browsers give up a connection whose element is removed at once. */
let added: HTMLLinkElement | null = null;

/**
 * Opens a connection to storage while the server still answers a start: the first part then waits for no handshake.
 * Does nothing where the app itself serves storage.
 * https://html.spec.whatwg.org/multipage/links.html#link-type-preconnect
 */
export function connectToStorage(): void {
  const named = document.querySelector<HTMLLinkElement>("link[rel=dns-prefetch]");
  if (!named) return;
  added?.remove();
  added = document.createElement("link");
  added.rel = "preconnect";
  // Parts are sent without cookies, for which browsers keep connections of their own.
  added.crossOrigin = "anonymous";
  added.href = named.href;
  document.head.appendChild(added);
}
