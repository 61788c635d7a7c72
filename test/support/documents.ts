export interface FoundElement {
  attributes: Record<string, string>;
  text: string;
}

/** The elements that match a CSS selector, with trimmed text. */
export async function elementsOf(html: string, selector: string): Promise<FoundElement[]> {
  const found: FoundElement[] = [];
  const rewriter = new HTMLRewriter().on(selector, {
    element(element) {
      found.push({ attributes: Object.fromEntries(element.attributes) as Record<string, string>, text: "" });
    },
    text({ text }) {
      const last = found.at(-1);
      if (last) last.text += text;
    },
  });
  await rewriter.transform(new Response(html)).text();
  return found.map(({ attributes, text }) => ({ attributes, text: text.trim() }));
}

export async function textsOf(html: string, selector: string): Promise<string[]> {
  return (await elementsOf(html, selector)).map(({ text }) => text);
}

export interface DocumentHead {
  title: string;
  /** By name or property; the canonical link under `canonical`. */
  meta: Record<string, string>;
  /** Of structured data. */
  scripts: string[];
}

export async function readHead(html: string): Promise<DocumentHead> {
  const [titles, metas, links, scripts] = await Promise.all([
    textsOf(html, "head title"),
    elementsOf(html, "head meta"),
    elementsOf(html, "head link[rel=canonical]"),
    textsOf(html, 'head script[type="application/ld+json"]'),
  ]);
  const named = metas.flatMap(({ attributes: { name, property, content } }) => {
    const key = name ?? property;
    return key === undefined ? [] : [[key, content ?? ""]];
  });
  const canonical = links.map(({ attributes }) => ["canonical", attributes.href ?? ""]);
  return {
    title: titles.join(""),
    meta: Object.fromEntries([...named, ...canonical]) as Record<string, string>,
    scripts,
  };
}
