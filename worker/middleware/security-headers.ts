import { createMiddleware } from "hono/factory";
import { isLinkPage, isRequestPage } from "#domain/site-pages.ts";
import type { AppEnv } from "../app-env.ts";
import { requestLogOf } from "../log.ts";
import { findSettings } from "../services.ts";
import type { Settings } from "../settings.ts";
import { bucketUrls } from "../storage/signing.ts";

interface Site {
  /** Null when a setting is missing, in which case the app shows no page. */
  settings: Settings | null;
  /** The request's origin, which serves our scripts. */
  origin: string;
  path: string;
  requestId: string;
  nonce: string;
}

/** The defaults of every response: no CORS, and no embedding of pages. */
const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const UNUSED_FEATURES =
  "accelerometer autoplay camera display-capture encrypted-media geolocation gyroscope hid magnetometer microphone " +
  "midi payment serial usb xr-spatial-tracking";

/**
 * The headers of pages. These headers deny browser features that no page uses, in case foreign code gets into a page.
 */
const DOCUMENTS = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": UNUSED_FEATURES.split(" ")
    .map((feature) => `${feature}=()`)
    .concat("publickey-credentials-get=(self)", "publickey-credentials-create=(self)")
    .join(", "),
};

/**
 * Cloudflare adds scripts to pages (bot detection, Rocket Loader, hidden addresses, analytics), gives them our nonce,
 * and so would run them beside the key of an encrypted link. `no-transform` forbids these additions.
 */
const UNCHANGED = "private, no-store, no-transform";

/**
 * The content security policy of responses other than pages: a browser that opens one as a document runs and loads
 * nothing.
 */
const NO_DOCUMENT = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * HTTPS is required for two years, as browsers' preload lists demand. Subdomains are not covered, because their owner
 * decides about HTTPS.
 */
const HSTS = "max-age=63072000";

/**
 * Adds headers by content type, and keeps headers that the response has already, such as a preview's sandbox.
 * hono/secure-headers can do neither (decision 021).
 */
export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  const nonce = createNonce();
  c.set("nonce", nonce);
  await next();
  // A WebSocket's response cannot be copied.
  if (c.res.webSocket) return;
  // A redirect's headers are immutable, so the headers are set on a copy.
  const response = new Response(c.res.body, c.res);
  const site = {
    settings: findSettings(c.env),
    origin: new URL(c.req.url).origin,
    path: c.req.path,
    requestId: requestLogOf(c.req.raw).id,
    nonce,
  };
  for (const [name, value] of Object.entries(headersFor(response, site))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (isDocument(response) && isLinkPage(site.path)) keepUnchanged(response, c.req.raw);
  c.res = undefined;
  c.res = response;
});

/**
 * Forbids changes of a page, and has the runtime compress it, because Cloudflare's edge does not compress responses
 * with `no-transform`.
 */
function keepUnchanged({ headers, body }: Response, request: Request): void {
  headers.set("cache-control", UNCHANGED);
  headers.append("vary", "accept-encoding");
  // Cloudflare's edge replaces the browser's `Accept-Encoding` by its own.
  const ofBrowser = request.cf?.clientAcceptEncoding;
  const accepted = typeof ofBrowser === "string" ? ofBrowser : (request.headers.get("accept-encoding") ?? "");
  if (body !== null && /\bgzip\b/.test(accepted)) headers.set("content-encoding", "gzip");
}

function isDocument({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/html") ?? false;
}

function headersFor(response: Response, site: Site): Record<string, string> {
  const isPage = isDocument(response);
  const isSecure = site.settings?.origin.startsWith("https:") ?? false;
  return {
    ...EVERYWHERE,
    ...(isPage ? DOCUMENTS : {}),
    ...(isSecure ? { "strict-transport-security": HSTS } : {}),
    "content-security-policy": isPage ? documentPolicy(site) : NO_DOCUMENT,
    "x-request-id": site.requestId,
  };
}

/**
 * The CSP (Level 3) of a page. Scripts and styles need our origin or this response's nonce, so injected text and
 * uploaded files do not run. Components position themselves with `style` attributes. The URL of a link's page may hold
 * a key, so the page may send requests neither to other sites nor to storage, where an attacker may own an object. The
 * page of an upload request has no key, and sends to storage.
 */
function documentPolicy({ settings, origin, path, nonce }: Site): string {
  const built = `${origin}/assets/`;
  const isLink = isLinkPage(path);
  const store = settings && (!isLink || isRequestPage(path)) ? bucketUrls(settings.s3) : [];
  // The one page that runs foreign code has nothing else to show.
  const foreign = path === "/human-check" && settings?.turnstile ? ["https://challenges.cloudflare.com"] : [];
  const directives: [string, ...string[]][] = [
    ["default-src", "'none'"],
    ["script-src", built, `'nonce-${nonce}'`, ...foreign],
    ...(foreign.length > 0 ? [["frame-src", ...foreign] as [string, ...string[]]] : []),
    ["style-src", built, `'nonce-${nonce}'`],
    ["style-src-attr", "'unsafe-inline'"],
    // Page texts may show images from any site.
    ["img-src", "'self'", "data:", "blob:", ...(isLink ? [] : ["https:"])],
    // Without a service worker, the media player gets decrypted media as `blob:` URLs.
    ["media-src", "'self'", "blob:"],
    ["font-src", "'self'"],
    ["connect-src", "'self'", origin.replace(/^http/, "ws"), ...store],
    ["worker-src", built, `${origin}/share-worker.js`, `${origin}/open-worker.js`],
    ["manifest-src", "'self'"],
    ["form-action", "'self'"],
    ["frame-ancestors", "'none'"],
    ["base-uri", "'none'"],
    ["object-src", "'none'"],
  ];
  return directives.map((directive) => directive.join(" ")).join("; ");
}

/** 128 random bits, the minimum of CSP Level 3, new for each response. */
function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}
