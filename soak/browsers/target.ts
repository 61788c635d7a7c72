/** A visible element: its kind and accessible name. */
export interface Target {
  kind: string;
  /** The complete label or text; optional. */
  name?: string;
  /** The beginning of the label or text. */
  begins?: string;
}

export function button(name: string): Target {
  return { kind: "button", name };
}

export function link(name: string): Target {
  return { kind: "a[href]", name };
}

export function heading(name: string): Target {
  return { kind: "h1, h2, h3", name };
}

export function labelled(name: string): Target {
  return { kind: "input, select, textarea, [aria-label], img[alt]", name };
}

/** A row of a table or tree, found by the beginning of the row's text. */
export function row(begins: string): Target {
  return { kind: "[role=row], tr", begins };
}

export function text(words: string): Target {
  return { kind: "body *:not(script, style)", name: words };
}

/**
 * Runs in the page as text, so it uses nothing from outside.
 * @returns the innermost visible match, or a file input, visible or not
 */
export function findTarget({ kind, name, begins = "" }: Target): Element | null {
  const nameOf = (element: Element) => {
    const label = element.getAttribute("aria-label") ?? element.getAttribute("alt");
    const labels = (element as HTMLInputElement).labels;
    return (label ?? labels?.[0]?.textContent ?? element.textContent).trim();
  };
  const isThere = (element: Element) =>
    (element as HTMLInputElement).type === "file" || element.checkVisibility({ visibilityProperty: true });
  const meant = [...document.querySelectorAll(kind)].filter(
    (element) => (name === undefined || nameOf(element) === name) && nameOf(element).startsWith(begins),
  );
  return meant.filter(isThere).at(-1) ?? null;
}
