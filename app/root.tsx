import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
  useRouteLoaderData,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { useContext, useState, type ReactNode } from "react";
import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";
import { themeIn } from "#domain/theme.ts";
import { AuthDialogProvider } from "./features/account/auth-dialog-provider.tsx";
import { ContentFailed } from "./features/content/content-page.tsx";
import { PendingContent } from "./features/content/pending-content.tsx";
import { Failed } from "./shell/page-failed.tsx";
import { Footer } from "./shell/footer.tsx";
import { Header } from "./shell/header.tsx";
import { NotFound } from "./shell/not-found.tsx";
import { buttonClass } from "./ui/button.tsx";
import { Toaster } from "./ui/toast.tsx";
import { findContentPage } from "./features/content/content-pages.ts";
import { DocumentContext } from "./shell/document.ts";
import { headFor } from "./shell/head.server.ts";
import { messagesFor } from "./lib/i18n/messages.server.ts";
import { hasWords, lastLocale, MessagesProvider, sayOf } from "./lib/i18n/messages.ts";
import { createQueryClient } from "./lib/query-client.ts";
import { useSessionWatch } from "./lib/session.ts";
import { useTheme } from "./shell/theme.ts";
import styles from "./styles.css?url";

const productTitle = (tagline: string = PRODUCT_TAGLINE) => `${PRODUCT_NAME} · ${tagline}`;

/** For every route that has no meta of its own. What is not a listed page, or not there, is kept out of search engines. */
export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (data?.head && !error) return data.head;
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const t = data ? sayOf(data.messages, "common") : null;
  const title = missing && t ? `${t("pageNotFound")} · ${PRODUCT_NAME}` : productTitle(t?.("tagline"));
  return [{ title }, { name: "robots", content: "noindex" }];
};

export const links = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export const loader = async ({ context, request }: LoaderFunctionArgs) => {
  const { pathname } = new URL(request.url);
  const [user, { seo }] = await Promise.all([
    // A page that needs to know says itself that it cannot be shown: in this frame, which asks for nothing.
    context.currentUser().catch(() => null),
    context.readPage(pathname),
  ]);
  const { origin, anonymousUploads } = context;
  const head = headFor({ pathname, seo, origin, anonymousUploads });
  const theme = themeIn(request.headers.get("cookie"));
  const messages = messagesFor(request, "common", "signIn", "fields");
  return { user, head, theme, messages, origin, anonymousUploads };
};

/** What is read here depends on who is signed in and on the path, and on nothing after it. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isOtherView = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !isOtherView && defaultShouldRevalidate;
}

export function Layout({ children }: { children: ReactNode }) {
  const theme = useTheme();
  const locale = useRouteLoaderData<typeof loader>("root")?.messages.locale ?? lastLocale();
  const { nonce } = useContext(DocumentContext);
  return (
    <html lang={locale} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        <Meta />
        <Links />
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
  const isLoaded = Boolean(useRouteLoaderData<typeof loader>("root"));
  return isLoaded || hasWords() ? <FramedError /> : <BareError />;
}

/** For what never was a page, a form sent to one for example: no loader ran, so there are no words either. */
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
      {!missing && !content && <Failed />}
    </Frame>
  );
}

function SessionWatch() {
  useSessionWatch();
  return null;
}

/** In the browser, as long as the document lives: who is signed in is known on a page that did not come, too. */
const documentQueries = typeof document === "undefined" ? null : createQueryClient();

function Frame({ children }: { children: ReactNode }) {
  const [queries] = useState(() => documentQueries ?? createQueryClient());
  return (
    <QueryClientProvider client={queries}>
      <MessagesProvider>
        <SessionWatch />
        <AuthDialogProvider>
          <Header />
          <main className="flex-1">{children}</main>
          <Footer />
        </AuthDialogProvider>
        <Toaster />
      </MessagesProvider>
    </QueryClientProvider>
  );
}
