import type { IOptions } from "sanitize-html";

/** The allowed HTML. The sanitiser removes all other tags and attributes. */
const SANITIZE_OPTIONS: IOptions = {
  allowedTags: [
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "br",
    "hr",
    "blockquote",
    "pre",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "a",
    "abbr",
    "b",
    "code",
    "del",
    "em",
    "i",
    "ins",
    "kbd",
    "mark",
    "q",
    "s",
    "small",
    "strong",
    "sub",
    "sup",
    "u",
    "div",
    "section",
    "span",
    "figure",
    "figcaption",
    "img",
    "table",
    "caption",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
  ],
  allowedAttributes: {
    a: ["href", "title"],
    abbr: ["title"],
    img: ["src", "alt", "title", "width", "height"],
    ol: ["start"],
    td: ["align", "colspan", "rowspan"],
    th: ["align", "colspan", "rowspan", "scope"],
  },
  allowedSchemes: ["https", "http", "mailto", "tel"],
  allowedSchemesByTag: { img: ["https", "http"] },
  allowProtocolRelative: false,
  // The sanitiser removes these tags with their content. Of all other tags that are not allowed, the content stays.
  nonTextTags: ["script", "style", "textarea", "option", "noscript", "template", "title", "iframe", "svg", "math"],
  // An h1 in a text becomes an h2, because the page's title is the page's only h1.
  transformTags: { h1: "h2" },
  parseStyleAttributes: false,
};

/** Rendered HTML by source text. The HTML is cached because rendering takes milliseconds. */
const htmlCache = new Map<string, string>();
const MAX_CACHED = 20;

/**
 * Renders a text that has tags as HTML, and any other text as Markdown that keeps single line breaks. Adds ids to
 * headings, for links.
 */
export async function renderContent(text: string): Promise<string> {
  const cached = htmlCache.get(text);
  if (cached !== undefined) return cached;
  if (htmlCache.size >= MAX_CACHED) htmlCache.clear();
  const html = await toSafeHtml(text);
  htmlCache.set(text, html);
  return html;
}

async function toSafeHtml(text: string): Promise<string> {
  const [{ marked }, { default: sanitize }] = await Promise.all([import("marked"), import("sanitize-html")]);
  const tokens = marked.lexer(text, { gfm: true, breaks: true });
  const tokenTypes = new Set<string>();
  void marked.walkTokens(tokens, ({ type }) => {
    tokenTypes.add(type);
  });
  const html = tokenTypes.has("html") ? text : marked.parser(tokens, { gfm: true, breaks: true });
  return addHeadingIds(sanitize(html, SANITIZE_OPTIONS));
}

function addHeadingIds(html: string): string {
  const usedIds = new Set<string>();
  return html.replace(/<h([2-6])>(.*?)<\/h\1>/gs, (heading, level: string, inner: string) => {
    const id = slugOf(inner);
    if (id === "" || usedIds.has(id)) return heading;
    usedIds.add(id);
    return `<h${level} id="${id}">${inner}</h${level}>`;
  });
}

function slugOf(heading: string): string {
  const text = heading.replace(/<[^>]*>|&[a-z0-9#]+;/gi, "").toLowerCase();
  return text.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
