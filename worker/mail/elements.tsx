import { createContext, useContext, type ReactNode } from "react";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { Locale } from "#domain/locale.ts";
import { translatorFor } from "#messages/compiled.ts";

/** One component tree renders both bodies, so that they cannot differ. */
export const MailFormat = createContext<"html" | "text">("html");

const INK = "#13211f";
const MUTED = "#55635f";
const REED = "#0e5c50";
const fontFamily = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

interface MailParts {
  title: string;
  lang?: Locale;
  /** A link below, such as the one that stops mails of this kind. */
  foot?: { text: string; href: string };
  children: ReactNode;
}

/** Mail programs support little besides tables and inline styles. */
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
        <title>{title}</title>
      </head>
      <body style={{ margin: 0, padding: "24px 12px", background: "#f5f4ee" }}>
        <table role="presentation" width="100%" style={{ maxWidth: 520, margin: "0 auto" }}>
          <tbody>
            <tr>
              <td style={{ background: "#fff", borderRadius: 16, padding: 32, color: INK, fontFamily }}>
                <p style={{ margin: 0, color: REED, fontWeight: 600 }}>{PRODUCT_NAME}</p>
                <h1 style={{ margin: "12px 0 16px", fontSize: 24, lineHeight: 1.25 }}>{title}</h1>
                {children}
              </td>
            </tr>
            <tr>
              <td style={{ padding: "16px 32px", color: MUTED, fontSize: 13, fontFamily }}>
                {signature}
                {foot && (
                  <p style={{ margin: "8px 0 0" }}>
                    <a href={foot.href} style={{ color: MUTED }}>
                      {foot.text}
                    </a>
                  </p>
                )}
              </td>
            </tr>
          </tbody>
        </table>
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

/** A stretch of a mail that has several languages. */
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

/** Shows the URL below, for mail programs that do not show links. */
export function Action({ href, children }: { href: string; children: string }) {
  const format = useContext(MailFormat);
  if (format === "text") return <>{`${children}:\n${href}\n\n`}</>;
  return (
    <>
      <p style={{ margin: "24px 0" }}>
        <a
          href={href}
          style={{
            display: "inline-block",
            padding: "12px 20px",
            borderRadius: 12,
            background: REED,
            color: "#fff",
            fontWeight: 600,
            textDecoration: "none",
          }}
        >
          {children}
        </a>
      </p>
      <p style={{ margin: "0 0 16px", fontSize: 13, color: MUTED, wordBreak: "break-all" }}>{href}</p>
    </>
  );
}
