import { useEffect, useRef, type RefObject } from "react";

/**
 * Moves to the beginning of a step when it appears: the one before it may have been much longer, and its focused button
 * is gone.
 * @returns for an element with tabIndex -1
 */
export function useComeIntoView<Shown extends HTMLElement>(): RefObject<Shown> {
  const element = useRef<Shown>(null);
  useEffect(() => {
    // A person who is typing in a dialog goes on.
    if (document.activeElement?.closest("[role=dialog]")) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return element;
}
