import clsx from "clsx";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";

/** The heading of a step. It comes into view when it appears. */
export function StepHeading({ className, children }: { className?: string; children: ReactNode }) {
  const heading = useComeIntoView<HTMLHeadingElement>();
  return (
    <h2 ref={heading} tabIndex={-1} className={clsx("scroll-mt-24 font-medium outline-none", className)}>
      {children}
    </h2>
  );
}

/**
 * Scrolls to the beginning of a step when it appears: the step before may have been much longer, and its focused button
 * is gone. @returns the ref of an element with tabIndex -1
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
