import { createContext, useContext, type CSSProperties, type ReactNode } from "react";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { Locale } from "#domain/locale.ts";
import { translatorFor } from "#messages/compiled.ts";

/** The body to render. One component tree renders HTML and text, so that both bodies have the same content. */
export const MailFormat = createContext<"html" | "text">("html");

interface Colors {
  color?: string;
  background?: string;
}

/** Colors by class, from the palette of `app/styles.css`. A test computes the contrast of both styles. */
const LIGHT = {
  page: { background: "#f5f4ee" },
  card: { background: "#ffffff", color: "#13211f" },
  brand: { color: "#0e5c50" },
  action: { background: "#0e5c50", color: "#ffffff" },
  muted: { color: "#55635f" },
} satisfies Record<string, Colors>;

const DARK: Record<keyof typeof LIGHT, Colors> = {
  page: { background: "#0a1211" },
  card: { background: "#121d1b", color: "#e9f0ec" },
  brand: { color: "#7fdcc3" },
  action: { background: "#7fdcc3", color: "#06231d" },
  muted: { color: "#9db0a9" },
};

/**
 * The dark style. Apple Mail and most versions of Outlook follow the media query. Gmail and Yahoo do not: they show or
 * invert the light style. Support: https://www.caniemail.com/features/css-at-media-prefers-color-scheme/
 */
const SHEET = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
${Object.entries(DARK).map(ruleOf).join("\n")}
}`;

/** A CSS rule with `!important`, which overrides an element's inline style. */
function ruleOf([name, colors]: [string, Colors]): string {
  const lines = Object.entries(colors).map(([property, value]) => `${property}: ${value} !important;`);
  return `.${name} { ${lines.join(" ")} }`;
}

/** Props that give an element its colors in both styles. @param style CSS besides the colors */
function colored(className: keyof typeof LIGHT, style: CSSProperties = {}) {
  return { className, style: { ...style, ...LIGHT[className] } };
}

const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

interface MailParts {
  title: string;
  lang?: Locale;
  /** A link below the mail's text, such as the link that stops mails of this kind. */
  foot?: { text: string; href: string };
  children: ReactNode;
}

/** The layout of a mail. Mail programs support little besides tables and inline styles. */
export function Mail({ title, lang = "en", foot, children }: MailParts) {
  const format = useContext(MailFormat);
  const signature = `${PRODUCT_NAME}. ${translatorFor(lang, "common")("tagline")}.`;
  if (format === "text") {
    return (
      <>
        {`${title}\n\n`}
        {children}
        {`-- \n${signature}\n`}
        {foot && `${foot.text}\n${foot.href}\n`}
      </>
    );
  }
  return (
    <html lang={lang}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{SHEET}</style>
      </head>
      <body {...colored("page", { margin: 0 })}>
        {/* A div repeats the style of the body, because web mail drops the body with its style. */}
        <div {...colored("page", { padding: "24px 12px" })}>
          <table role="presentation" width="100%" style={{ maxWidth: 520, margin: "0 auto" }}>
            <tbody>
              <tr>
                <td {...colored("card", { borderRadius: 16, padding: 32, fontFamily })}>
                  <p {...colored("brand", { margin: 0, fontWeight: 600 })}>{PRODUCT_NAME}</p>
                  <h1 style={{ margin: "12px 0 16px", fontSize: 24, lineHeight: 1.25 }}>{title}</h1>
                  {children}
                </td>
              </tr>
              <tr>
                <td {...colored("muted", { padding: "16px 32px", fontSize: 13, fontFamily })}>
                  {signature}
                  {foot && (
                    <p style={{ margin: "8px 0 0" }}>
                      <a href={foot.href} {...colored("muted")}>
                        {foot.text}
                      </a>
                    </p>
                  )}
                </td>
              </tr>
            </tbody>
          </table>
        </div>
      </body>
    </html>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  const format = useContext(MailFormat);
  if (format === "text") {
    return (
      <>
        {children}
        {"\n\n"}
      </>
    );
  }
  return <p style={{ margin: "0 0 16px", fontSize: 16, lineHeight: 1.55 }}>{children}</p>;
}

/** A section in one language, for a mail in several languages. */
export function InLanguage({ lang, children }: { lang: string; children: ReactNode }) {
  const format = useContext(MailFormat);
  return format === "text" ? <>{children}</> : <div lang={lang}>{children}</div>;
}

export function List({ items }: { items: readonly string[] }) {
  const format = useContext(MailFormat);
  if (format === "text") return <>{`${items.map((item) => `- ${item}\n`).join("")}\n`}</>;
  return (
    <ul style={{ margin: "0 0 16px", padding: "0 0 0 20px", fontSize: 16, lineHeight: 1.55 }}>
      {items.map((item, index) => (
        <li key={index} style={{ overflowWrap: "anywhere" }}>
          {item}
        </li>
      ))}
    </ul>
  );
}

/** A button with its URL as text below, for mail programs that do not show links. */
export function Action({ href, children }: { href: string; children: string }) {
  const format = useContext(MailFormat);
  if (format === "text") return <>{`${children}:\n${href}\n\n`}</>;
  return (
    <>
      <p style={{ margin: "24px 0" }}>
        <a
          href={href}
          {...colored("action", {
            display: "inline-block",
            padding: "12px 20px",
            borderRadius: 12,
            fontWeight: 600,
            textDecoration: "none",
          })}
        >
          {children}
        </a>
      </p>
      <p {...colored("muted", { margin: "0 0 16px", fontSize: 13, wordBreak: "break-all" })}>{href}</p>
    </>
  );
}
