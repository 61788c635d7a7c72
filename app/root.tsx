import type { MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { useContext, useState, type ReactNode } from "react";
import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";
import { AuthDialogProvider } from "./features/account/auth-dialog-provider.tsx";
import { ContentFailed, findContentPage, PendingContent } from "./features/content/content-page.tsx";
import { useServerAhead } from "./lib/clock.ts";
import { hasReceivedMessages, MessagesProvider, pageTranslator, receivedLocale } from "./lib/i18n/messages.ts";
import { titled } from "./lib/page-title.ts";
import { createQueryClient } from "./lib/query-client.ts";
import { useRootData } from "./lib/root-data.ts";
import { useSessionWatch } from "./lib/session.ts";
import { DocumentContext, importMapOf } from "./shell/document.ts";
import { PageFailed, NotFound } from "./shell/error-pages.tsx";
import { Footer } from "./shell/footer.tsx";
import { OfflineNotice, LoadingBar, MAIN_ID, PageAnnouncer, SkipLink } from "./shell/frame.tsx";
import { Header } from "./shell/header.tsx";
import { useTidyKept } from "./shell/kept.ts";
import { useLeavingLinkPages } from "./shell/leave-link-page.ts";
import { loadRootData } from "./shell/root-data.server.ts";
import { useTheme } from "./shell/theme.tsx";
import { useReplayEarly } from "./shell/use-replay-early.ts";
import styles from "./styles.css?url";
import { buttonClass } from "./ui/button.tsx";
import { Toaster } from "./ui/toaster.tsx";

const productTitle = (tagline: string = PRODUCT_TAGLINE) => `${PRODUCT_NAME} · ${tagline}`;

/** The default `meta` of all routes. Unknown pages, and pages not listed in the sitemap, are not indexed. */
export const meta: MetaFunction<typeof loadRootData> = ({ data, error }) => {
  if (data?.head && !error) return data.head;
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const t = data ? pageTranslator(data.messages, "common") : null;
  const title = missing && t ? titled(t("pageNotFound")) : productTitle(t?.("tagline"));
  return [{ title }, { name: "robots", content: "noindex" }];
};

export const links = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export const loader = loadRootData;

/** Root data depends on the user and the path, not on the query. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const onlySearchChanged = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !onlySearchChanged && defaultShouldRevalidate;
}

export function Layout({ children }: { children: ReactNode }) {
  const theme = useTheme();
  const rootData = useRootData();
  const locale = rootData?.messages.locale ?? receivedLocale();
  const facts = useContext(DocumentContext);
  const { nonce } = facts;
  const importMap = importMapOf(facts);
  return (
    <html lang={locale} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        {/* Browsers accept no import map after the first script. */}
        {importMap !== undefined && (
          <script
            type="importmap"
            nonce={nonce}
            suppressHydrationWarning
            dangerouslySetInnerHTML={{ __html: importMap }}
          />
        )}
        {/* In the browser the text is empty, because this script has already run. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: facts.earlyScript ?? "" }} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <Meta />
        <Links />
        {/* `connectToStorage` reads storage's addresses from these elements. */}
        {rootData?.storageOrigins.map((origin) => (
          <link key={origin} rel="dns-prefetch" href={origin} />
        ))}
      </head>
      <body className="flex flex-col">
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return (
    <Frame>
      <PendingContent>
        <Outlet />
      </PendingContent>
    </Frame>
  );
}

export function ErrorBoundary() {
  const hasRootData = Boolean(useRootData());
  return hasRootData || hasReceivedMessages() ? <FramedError /> : <BareError />;
}

/** Shown when no loader has run, such as after a POST to a page. Without messages, the text is English. */
function BareError() {
  return (
    <main className="mx-auto max-w-xl px-5 py-24 text-center">
      <h1 className="font-display text-4xl font-semibold">Something went wrong</h1>
      <p className="mt-3 text-muted">This request could not be understood.</p>
      <a href="/" className={`${buttonClass()} mt-8`}>
        Go Home
      </a>
    </main>
  );
}

function FramedError() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const content = findContentPage(useLocation().pathname);
  return (
    <Frame>
      {missing && <NotFound />}
      {!missing && content && <ContentFailed {...content} />}
      {!missing && !content && <PageFailed />}
    </Frame>
  );
}

function SessionWatch() {
  useSessionWatch();
  useTidyKept();
  useReplayEarly();
  return null;
}

/**
 * One client per document, so that an error page still knows the current user. The server creates a client per request.
 */
const documentQueries = typeof document === "undefined" ? null : createQueryClient();

function Frame({ children }: { children: ReactNode }) {
  useServerAhead();
  useLeavingLinkPages();
  const [queries] = useState(() => documentQueries ?? createQueryClient());
  return (
    <QueryClientProvider client={queries}>
      <MessagesProvider>
        <SessionWatch />
        <AuthDialogProvider>
          <LoadingBar />
          <SkipLink />
          <Header />
          <OfflineNotice />
          <main id={MAIN_ID} className="flex-1 outline-none">
            {children}
          </main>
          <Footer />
        </AuthDialogProvider>
        <PageAnnouncer />
        <Toaster />
      </MessagesProvider>
    </QueryClientProvider>
  );
}
