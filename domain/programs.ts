/**
 * Programs that download what a link leads to. An allowlist: what previews links in chats is not on it, so a preview
 * never uses up a download.
 */
const DOWNLOADERS = /^(?:curl|wget|httpie|aria2)\/|\b(?:Windows)?PowerShell\//i;

/** Whether a request for a page comes from a program that wants the bytes. @param headers finds a header by its name */
export function wantsBytes(headers: (name: string) => string | undefined): boolean {
  const accepts = headers("accept") ?? "";
  return DOWNLOADERS.test(headers("user-agent") ?? "") && !/\btext\/html\b/i.test(accepts);
}

/** The password of `Authorization: Basic`, as `curl -u :PASSWORD` sends it, in UTF-8. Null without one. */
export function basicPassword(authorization: string): string | null {
  const [, value] = /^Basic +([\w+/=-]+) *$/i.exec(authorization) ?? [];
  if (value === undefined) return null;
  try {
    const pair = new TextDecoder().decode(Uint8Array.from(atob(value), (character) => character.charCodeAt(0)));
    return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : null;
  } catch {
    return null;
  }
}
