import type { MouseEvent } from "react";

/** Whether a click opens a link here. With a key or another button, the browser opens it in a new tab or saves it. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
