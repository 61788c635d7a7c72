import { useEffect, useRef, type RefObject } from "react";

const CONTROLS =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]";

/**
 * When the focused control is removed, such as a button in a deleted file's row, focuses the control that takes its
 * place; browsers would start again at the top of the page. @returns a ref for a lasting element around the controls
 */
export function useKeptFocus<Container extends HTMLElement>(): RefObject<Container> {
  const container = useRef<Container>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let focused: HTMLElement | null = null;
    let places: Place[] = [];
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      focused = target;
      places = placesOf(target);
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected || document.activeElement !== document.body) return;
      focused = null;
      controlAt(places)?.focus();
    });
    element.addEventListener("focusin", onFocus);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, []);
  return container;
}

interface Place {
  parent: Element;
  /** Index among the parent's children. */
  index: number;
}

/** The element's place in its parent, then the parent's place in its own parent, up to the root. */
function placesOf(element: Element): Place[] {
  const places: Place[] = [];
  for (let child = element; child.parentElement; child = child.parentElement) {
    const parent = child.parentElement;
    places.push({ parent, index: [...parent.children].indexOf(child) });
  }
  return places;
}

/** The control that Tab reaches next from a removed element's place; if none follows, the control before that place. */
function controlAt(places: readonly Place[]): HTMLElement | null {
  for (const { parent, index } of places.filter(({ parent }) => parent.isConnected)) {
    const children = [...parent.children];
    const candidates = [...children.slice(index), ...children.slice(0, index).reverse()];
    for (const candidate of candidates) {
      const control = [candidate, ...candidate.querySelectorAll(CONTROLS)].find(isControl);
      if (control) return control;
    }
  }
  return null;
}

function isControl(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement && element.tabIndex >= 0 && element.matches(CONTROLS) && element.checkVisibility()
  );
}
