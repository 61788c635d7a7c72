import clsx from "clsx";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";

/** The heading of a step. When the heading appears, the page scrolls to it. */
export function StepHeading({ className, children }: { className?: string; children: ReactNode }) {
  const heading = useComeIntoView<HTMLHeadingElement>();
  return (
    <h2 ref={heading} tabIndex={-1} className={clsx("scroll-mt-24 font-medium outline-none", className)}>
      {children}
    </h2>
  );
}

/**
 * Focuses the beginning of a step and scrolls to it when the step appears, because the previous step may have been much
 * longer, and the button that had the focus is gone. @returns the ref of an element with tabIndex -1
 */
export function useComeIntoView<Shown extends HTMLElement>(): RefObject<Shown> {
  const element = useRef<Shown>(null);
  useEffect(() => {
    // The focus stays in an open dialog.
    if (document.activeElement?.closest("[role=dialog]")) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return element;
}
