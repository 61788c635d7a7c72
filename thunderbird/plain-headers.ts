import { host } from "./host.ts";

/** Headers that a browser adds, and that a program does not send. */
const OF_BROWSERS = /^(origin|referer|cookie|sec-.*)$/i;

/**
 * Makes the add-on's own requests those of a program. With an `Origin`, `/api/v1` takes them for a page's, for which
 * the key of a program is not made (decision 063). Requests of other pages and add-ons stay as they are.
 */
export function sendPlainHeaders(): void {
  const own = host.runtime.getURL("");
  host.webRequest.onBeforeSendHeaders.addListener(
    ({ originUrl, requestHeaders }) =>
      requestHeaders && originUrl?.startsWith(own)
        ? { requestHeaders: requestHeaders.filter(({ name }) => !OF_BROWSERS.test(name)) }
        : {},
    { urls: ["<all_urls>"] },
    ["blocking", "requestHeaders"],
  );
}
