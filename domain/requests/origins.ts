/** Of a host's 253 characters (RFC 1035, section 2.3.4, as text) with `https://` and a port. */
const ORIGIN_MAX_LENGTH = 267;

/** What browsers take for this computer (Secure Contexts, section 3.1), where sites are built without a certificate. */
const THIS_COMPUTER = /^(?:(?:.+\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
/** A browser sends no other characters. A star is none of them: a list has no patterns. */
const HOST = /^(?:[a-z\d.-]+|\[[a-f\d:]+\])$/;

/** Whether the text is a website's origin as browsers send it: `https://`, host and port; `http://` on this computer. */
export function isSite(text: string): boolean {
  const url = URL.parse(text);
  if (url?.origin !== text || text.length > ORIGIN_MAX_LENGTH || !HOST.test(url.hostname)) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && THIS_COMPUTER.test(url.hostname));
}

/** What somebody types for a website, as browsers send it. A text that is more than a website stays as it is. */
export function typedSite(text: string): string {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/` ? url.origin : text;
}
