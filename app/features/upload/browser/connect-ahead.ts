/**
 * The `<link rel="preconnect">` elements. The elements stay in the page, because browsers close a connection whose
 * element is removed.
 */
let added: HTMLLinkElement[] = [];

/**
 * Opens connections to storage while the server answers a start, so that the first parts need not wait for a handshake.
 * Does nothing where the app itself serves storage.
 * https://html.spec.whatwg.org/multipage/links.html#link-type-preconnect
 */
export function connectToStorage(): void {
  for (const element of added) element.remove();
  const named = [...document.querySelectorAll<HTMLLinkElement>("link[rel=dns-prefetch]")];
  added = named.map(({ href }) => {
    const element = document.createElement("link");
    element.rel = "preconnect";
    // Parts are sent without cookies, and browsers use separate connections for such requests.
    element.crossOrigin = "anonymous";
    element.href = href;
    document.head.appendChild(element);
    return element;
  });
}
