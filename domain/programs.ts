import { fromBase64 } from "./bytes-as-text.ts";

/**
 * Robots read a page to show a preview of it, to list it or to watch it. Nearly all name themselves with one of these
 * words, or with the address of their page or of whom to write to.
 */
const ROBOTS =
  /bot|crawl|spider|slurp|preview|unfurl|onebox|embed|scrap|monitor|check|discovery|https?:|@|facebook|whatsapp|viber|snapchat|skype|steam|tumblr|office/i;

/**
 * Whether a request for a page comes from a program that wants what the page leads to. There is no list of programs: what
 * counts is what a browser or a robot says and a program does not. A browser's request has `Sec-Fetch-Site`, an old one
 * calls itself Mozilla, and one for the terminal tells which languages its reader knows. PowerShell calls itself Mozilla,
 * too. wget2 and Java accept HTML, but also everything else; who accepts HTML and not everything wants the page.
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

/** The password of `Authorization: Basic`, as `curl -u :PASSWORD` sends it, in UTF-8. Null without one. */
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
