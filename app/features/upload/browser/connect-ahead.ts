/** The element stays in the page, because browsers close a connection whose element is removed. */
let added: HTMLLinkElement | null = null;

/**
 * Opens a connection to storage while the server answers a start, so that the first part need not wait for a handshake.
 * Does nothing where the app itself serves storage.
 * https://html.spec.whatwg.org/multipage/links.html#link-type-preconnect
 */
export function connectToStorage(): void {
  const named = document.querySelector<HTMLLinkElement>("link[rel=dns-prefetch]");
  if (!named) return;
  added?.remove();
  added = document.createElement("link");
  added.rel = "preconnect";
  // Parts are sent without cookies, and browsers use separate connections for such requests.
  added.crossOrigin = "anonymous";
  added.href = named.href;
  document.head.appendChild(added);
}
