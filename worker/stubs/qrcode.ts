/** Replaces uqr, because only the browser draws QR codes (https://github.com/unjs/uqr). */
export function renderSVG(): never {
  throw new Error("QR codes are drawn in the browser");
}
