/** Paths of pages that end in an id or a token, whose lengths are known. */
const LINKS = [
  /^\/(?:download|r)\/[\w-]{22}/i,
  /^\/delete\/[\da-f-]{36}\/[\w-]{43}/i,
  /^\/unsubscribe\/[a-z]{1,16}\.[\w-]{1,64}\.[\w-]{43}/i,
];

/**
 * What is pasted is often more than the link: the end of a sentence, a bracket, a space that nobody sees.
 * @param path of a URL, percent-encoded
 * @returns the link's path; null where nothing is behind it, or its path is none of these pages'
 */
export function linkWithoutEnding(path: string): string | null {
  for (const pattern of LINKS) {
    const [link] = pattern.exec(path) ?? [];
    if (link === undefined) continue;
    const ending = path.slice(link.length);
    // Remix reads a page's data there. Behind `%23` is the key of an encrypted link, which its page puts back.
    return ending === "" || ending === ".data" || ending.includes("%23") ? null : link;
  }
  return null;
}
