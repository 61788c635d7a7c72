/**
 * Replaces react-dom, whose entry contains React's whole browser renderer until React 19; the Worker renders with
 * `react-dom/server` (https://github.com/facebook/react/pull/27772).
 */
export function createPortal(): never {
  throw new Error("portals need a browser");
}

export function flushSync(): never {
  throw new Error("flushSync needs a browser");
}
