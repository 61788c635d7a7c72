import { fromBase64 } from "./bytes-as-text.ts";

/**
 * User agents of robots, which read a page to show, list or watch it. Nearly all robots name themselves with one of
 * these words, or with the address of their page or of a contact.
 */
const ROBOTS =
  /bot|crawl|spider|slurp|preview|unfurl|onebox|embed|scrap|monitor|check|discovery|https?:|@|facebook|whatsapp|viber|snapchat|skype|steam|tumblr|office/i;

/**
 * Whether a request for a page comes from a program that wants the bytes behind the link. There is no list of programs:
 * only browsers and robots are recognized. A browser's request has `Sec-Fetch-Site`, an old browser calls itself
 * Mozilla, and a browser for the terminal sends its reader's languages. PowerShell calls itself Mozilla, too. wget2 and
 * Java accept HTML, but also everything else; a client that accepts HTML and not everything wants the page.
 * @param headers finds a header by its name
 */
export function wantsBytes(headers: (name: string) => string | undefined): boolean {
  const agent = headers("user-agent") ?? "";
  if (headers("sec-fetch-site") !== undefined || ROBOTS.test(agent)) return false;
  if (agent.startsWith("Mozilla/") && !/PowerShell\//.test(agent)) return false;
  if ((headers("accept-language") ?? "*") !== "*") return false;
  const accepts = headers("accept") ?? "";
  return accepts.includes("*/*") || !/\btext\/html\b/i.test(accepts);
}

/** The password of `Authorization: Basic`, as `curl -u :PASSWORD` sends it, in UTF-8. Null without a password. */
export function basicPassword(authorization: string): string | null {
  const [, value] = /^Basic +([\w+/=-]+) *$/i.exec(authorization) ?? [];
  if (value === undefined) return null;
  try {
    const pair = new TextDecoder().decode(fromBase64(value));
    return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : null;
  } catch {
    return null;
  }
}
