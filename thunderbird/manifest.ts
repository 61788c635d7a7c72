import { PRODUCT_NAME } from "#domain/brand.ts";
import { THUNDERBIRD_VERSION } from "#domain/thunderbird-package.ts";

const product = PRODUCT_NAME.toLowerCase();

/** Sites need https, except those of this computer. Match patterns have no ports. */
const SITES = ["https://*/*", "http://localhost/*", "http://127.0.0.1/*"];

/**
 * The add-on's manifest. Version 2, because its background page lives while Thunderbird runs; the event page of version
 * 3 is ended when it seems idle, and with it an upload (decision 063).
 */
export const MANIFEST = {
  manifest_version: 2,
  name: PRODUCT_NAME,
  description: "__MSG_description__",
  version: THUNDERBIRD_VERSION,
  default_locale: "en",
  icons: { 192: "icon.png" },
  browser_specific_settings: { gecko: { id: `filelink@${product}`, strict_min_version: "128.0" } },
  background: { page: "background.html" },
  cloud_file: {
    name: PRODUCT_NAME,
    management_url: "settings.html",
    // A link ends, so an attachment of another message gets a link of its own.
    reuse_uploads: false,
  },
  // Storage may be at any address.
  permissions: ["storage", "webRequest", "webRequestBlocking", ...SITES],
  content_security_policy:
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src https: http://localhost:* http://127.0.0.1:*; object-src 'none'",
};
