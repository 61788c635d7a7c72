/** Stands in for `uqr` in the Worker (wrangler.toml): QR codes are drawn in the browser, when somebody asks for one. */
export function renderSVG(): never {
  throw new Error("QR codes are for browsers");
}
