import { useEffect, useState, type RefObject } from "react";

/** Drawn before the scroller has been measured: as many as a tall screen shows. */
const ROWS_BEFORE_MEASURING = 20;

export interface RowsInView {
  /** Index. */
  first: number;
  /** Those in view in part are counted. */
  count: number;
}

/** @param rowHeightPx of every row, so that a row's place follows from its index */
export function useRowsInView(scroller: RefObject<HTMLElement>, rowHeightPx: number): RowsInView {
  const [inView, setInView] = useState<RowsInView>({ first: 0, count: ROWS_BEFORE_MEASURING });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const first = Math.floor(element.scrollTop / rowHeightPx);
      const count = Math.ceil(element.clientHeight / rowHeightPx) + 1;
      setInView((before) => (before.first === first && before.count === count ? before : { first, count }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller, rowHeightPx]);
  return inView;
}
