/** The most characters of names that D1 keeps for the search: some 200 names, at most 3 KB of most languages. */
const SEARCHED_NAMES_MAX_LENGTH = 3000;

/**
 * The names of files and folders that a search finds a transfer by: each name once, in lower case, one in a line, as
 * many as fit. The names are those of the paths in their order, so a large transfer is found by its first files.
 * @param paths of the transfer's entries, in NFC
 */
export function searchedNames(paths: Iterable<string>): string {
  const names = new Set<string>();
  let length = 0;
  for (const path of paths) {
    for (const name of path.toLowerCase().split("/")) {
      if (name === "" || names.has(name)) continue;
      length += name.length + 1;
      // The last name has no line break behind it.
      if (length - 1 > SEARCHED_NAMES_MAX_LENGTH) return [...names].join("\n");
      names.add(name);
    }
  }
  return [...names].join("\n");
}
