const BYTES = /^(?:https?:\/\/[^/]+)?([^?]*?)(?:\/entries\/(\d+))?\/content(\?.*)?$/;

/**
 * @param href of a link's bytes: of everything, of a selection (`?pick=`), or of one file of a transfer
 * @returns on this host, since its cookies are needed: the address that takes a download of the link first
 */
export function takeAddress(href: string): string {
  const [, link = "", entry, query = ""] = BYTES.exec(href) ?? [];
  if (entry === undefined) return `${link}/take${query}`;
  return `${link}/take?entry=${entry}${query.replace("?", "&")}`;
}

/** The reverse of `takeAddress`. */
export function bytesAddress(take: string): string {
  const { pathname, search, searchParams } = new URL(take, "http://localhost");
  const link = pathname.replace(/\/take$/, "");
  const entry = searchParams.get("entry");
  const query = search.replace(/^\?entry=\d+&?/, "?").replace(/^\?$/, "");
  return entry === null ? `${link}/content${query}` : `${link}/entries/${entry}/content${query}`;
}
