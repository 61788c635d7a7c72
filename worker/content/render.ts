import type { IOptions } from "sanitize-html";

/** What a page's text may be made of. Whatever is not named here does not reach a reader. */
const ALLOWED: IOptions = {
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
  // With their content, unlike an unknown tag, whose content stays.
  nonTextTags: ["script", "style", "textarea", "option", "noscript", "template", "title", "iframe", "svg", "math"],
  // The page's own title is its first heading.
  transformTags: { h1: "h2" },
  parseStyleAttributes: false,
};

/** What was made of which text: the same text is the same HTML, and making it takes milliseconds. */
const made = new Map<string, string>();
const MOST_KEPT = 20;

/**
 * Makes safe HTML of a page's text. One with tags is HTML; any other is Markdown, where a blank line splits paragraphs
 * and a line break stays one (specification 2 section 2). Headings are given ids to link to.
 */
export async function renderContent(text: string): Promise<string> {
  const known = made.get(text);
  if (known !== undefined) return known;
  if (made.size >= MOST_KEPT) made.clear();
  const html = await makeHtml(text);
  made.set(text, html);
  return html;
}

async function makeHtml(text: string): Promise<string> {
  const [{ marked }, { default: sanitize }] = await Promise.all([import("marked"), import("sanitize-html")]);
  const tokens = marked.lexer(text, { gfm: true, breaks: true });
  const kinds = new Set<string>();
  void marked.walkTokens(tokens, ({ type }) => {
    kinds.add(type);
  });
  const html = kinds.has("html") ? text : marked.parser(tokens, { gfm: true, breaks: true });
  return withHeadingIds(sanitize(html, ALLOWED));
}

/** A sanitised heading has no attributes, so what is looked for is the whole opening tag. */
function withHeadingIds(html: string): string {
  const used = new Set<string>();
  return html.replace(/<h([2-6])>(.*?)<\/h\1>/gs, (whole, level: string, inner: string) => {
    const id = slugOf(inner);
    if (id === "" || used.has(id)) return whole;
    used.add(id);
    return `<h${level} id="${id}">${inner}</h${level}>`;
  });
}

/** "Account guidelines" becomes "account-guidelines". */
function slugOf(heading: string): string {
  const words = heading.replace(/<[^>]*>|&[a-z0-9#]+;/gi, "").toLowerCase();
  return words.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
