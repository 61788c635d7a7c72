/**
 * Stands in for react-dom in the Worker (wrangler.toml), where pages are written by `react-dom/server`. Libraries of the
 * pages name these for the browser; React's whole browser renderer would be carried along for them.
 */
export function createPortal(): never {
  throw new Error("portals are for browsers");
}

export function flushSync(): never {
  throw new Error("flushSync is for browsers");
}
