import type { Settings } from "../settings.ts";

/** What the headers depend on. */
interface Site {
  /** Null where the settings could not be read; then no page can be shown anyway. */
  settings: Settings | null;
  /** The request's own scheme, host and port: where a browser looks for our scripts. */
  origin: string;
  requestId: string;
  /** What our own inline scripts and styles carry. */
  nonce: string;
}

/** For every answer. Nothing of ours is read by another site: there is no CORS, and nothing is embedded. */
const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** For documents: what a page of ours has no use for, neither it nor whatever got into it may ask for. */
const DOCUMENTS = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": [
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "serial",
    "usb",
    "xr-spatial-tracking",
  ]
    .map((feature) => `${feature}=()`)
    .join(", "),
};

/** For what is no document: should a browser ever show it as one, it can do nothing. */
const NO_DOCUMENT = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Two years, as browsers' lists ask for. Other hosts below ours are their owner's business. */
const HSTS = "max-age=63072000";

/**
 * The answer with the headers that guard it, unless it has set its own; one that cannot be changed is copied. A
 * socket's answer is left alone.
 */
export function withSecurityHeaders(response: Response, site: Site): Response {
  if (response.webSocket) return response;
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(headersFor(response, site))) {
    if (!copy.headers.has(name)) copy.headers.set(name, value);
  }
  return copy;
}

function headersFor(response: Response, site: Site): Record<string, string> {
  const isDocument = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  const isSecure = site.settings?.origin.startsWith("https:") ?? false;
  return {
    ...EVERYWHERE,
    ...(isDocument ? DOCUMENTS : {}),
    ...(isSecure ? { "strict-transport-security": HSTS } : {}),
    "content-security-policy": isDocument ? documentPolicy(site) : NO_DOCUMENT,
    "x-request-id": site.requestId,
  };
}

/**
 * What a document may load and run (Content Security Policy Level 3). Scripts and styles come out of our build or carry
 * this answer's nonce: neither a text that got into a page nor a file that somebody uploaded runs, whatever its address
 * on this host. Styles on single elements are allowed, since components measure and place themselves with them.
 */
function documentPolicy({ settings, origin, nonce }: Site): string {
  const built = `${origin}/assets/`;
  const store = settings ? [`${settings.s3.endpoint}/${settings.s3.bucket}/`] : [];
  const directives: [string, ...string[]][] = [
    ["default-src", "'none'"],
    ["script-src", built, `'nonce-${nonce}'`],
    ["style-src", built, `'nonce-${nonce}'`],
    ["style-src-attr", "'unsafe-inline'"],
    // Page texts show pictures from wherever their author found them.
    ["img-src", "'self'", "data:", "blob:", "https:"],
    ["media-src", "'self'"],
    ["font-src", "'self'"],
    ["connect-src", "'self'", origin.replace(/^http/, "ws"), ...store],
    ["worker-src", built, `${origin}/share-worker.js`],
    ["manifest-src", "'self'"],
    ["form-action", "'self'"],
    ["frame-ancestors", "'none'"],
    ["base-uri", "'none'"],
    ["object-src", "'none'"],
  ];
  return directives.map((directive) => directive.join(" ")).join("; ");
}
