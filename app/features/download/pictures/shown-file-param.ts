/** The parameter of a link page's address that names the file in the viewer. */
export const SHOWN_FILE = "show";

/** Whether two addresses differ in no more than the file in the viewer, so that the page's data stays the same. */
export function differOnlyInShownFile(one: URL, other: URL): boolean {
  return one.search !== other.search && withoutShownFile(one) === withoutShownFile(other);
}

function withoutShownFile({ pathname, searchParams }: URL): string {
  const others = new URLSearchParams(searchParams);
  others.delete(SHOWN_FILE);
  return `${pathname}?${others.toString()}`;
}
