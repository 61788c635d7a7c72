/**
 * Replaces postcss, which sanitize-html imports to parse `style` attributes; page content may not have any
 * (https://github.com/apostrophecms/sanitize-html/issues/198).
 */
export function parse(): never {
  throw new Error("style attributes are not parsed");
}
