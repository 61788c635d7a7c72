import { MINUTE_MS } from "../units.ts";

/**
 * When links are scanned. `after`: the link works meanwhile. `before`: the link opens once the scanner has found
 * nothing.
 */
export const SCAN_MODES = ["off", "after", "before"] as const;
export type ScanMode = (typeof SCAN_MODES)[number];

/**
 * What the scanner says about a ready link. `pending`: nothing yet. `unscanned`: a file is larger than the scanner
 * takes, and nothing was found in the others.
 */
export const SCAN_STATES = ["pending", "clean", "infected", "unscanned"] as const;
export type ScanState = (typeof SCAN_STATES)[number];

/** After this time without a right answer of the scanner, the administrator is told. */
export const SCANNER_AWAY_MS = 15 * MINUTE_MS;

export type Scanner =
  { kind: "clamd"; hostname: string; port: number; isEncrypted: boolean } | { kind: "http"; url: string; key: string };

const CLAMD_PORT = 3310;

/**
 * Reads the setting that names the scanner: `clamd://host:3310`, `clamds://host:3310` with TLS, or the address of an
 * HTTP scanner.
 * @param key for an HTTP scanner; "" for none
 * @returns null for anything else
 */
export function parseScanner(text: string, key: string): Scanner | null {
  const [, scheme = "", rest = ""] = /^(clamds?|https?):\/\/(.+)$/.exec(text) ?? [];
  // URL gives only the schemes that it knows a host.
  const url = URL.parse(scheme.startsWith("clamd") ? `http://${rest}` : text);
  if (scheme === "" || url === null || url.username !== "" || url.password !== "") return null;
  if (scheme.startsWith("http")) return { kind: "http", url: url.href, key };
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return null;
  const [, port] = /:(\d+)\/?$/.exec(rest) ?? [];
  return {
    kind: "clamd",
    hostname: url.hostname,
    port: port === undefined ? CLAMD_PORT : Number(port),
    isEncrypted: scheme === "clamds",
  };
}
