/**
 * Stands in for postcss in the Worker (wrangler.toml). sanitize-html parses `style` attributes with it, which page
 * content may not have, so it would be carried along for nothing.
 */
export function parse(): never {
  throw new Error("style attributes are not parsed");
}
