import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError } from "@remix-run/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";
import { AuthDialogProvider } from "./components/auth-dialog-provider.tsx";
import { Footer } from "./components/footer.tsx";
import { Header } from "./components/header.tsx";
import { NotFound } from "./components/not-found.tsx";
import { Toaster } from "./components/ui/toaster.tsx";
import { useSessionWatch } from "./session.ts";
import styles from "./styles.css?url";

export const meta: MetaFunction = () => [
  { title: `${PRODUCT_NAME} · ${PRODUCT_TAGLINE}` },
  { name: "description", content: "Upload a file, send the link, and it is gone when you said it should be." },
];

export const links = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const loader = async ({ context }: LoaderFunctionArgs) => ({
  user: await context.currentUser(),
  anonymousUploads: context.anonymousUploads,
});

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body className="flex flex-col">
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Frame>
      {missing ? (
        <NotFound />
      ) : (
        <div className="mx-auto max-w-xl px-5 py-24 text-center">
          <h1 className="font-display text-4xl font-semibold">Something went wrong</h1>
          <p className="mt-3 text-muted">The page could not be shown. Please reload it, or try again in a moment.</p>
        </div>
      )}
    </Frame>
  );
}

function SessionWatch() {
  useSessionWatch();
  return null;
}

function Frame({ children }: { children: ReactNode }) {
  // Never stale, no refetch on focus, no retries, except where a query says otherwise (specification 1 section 9).
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: false } },
      }),
  );
  return (
    <QueryClientProvider client={queries}>
      <SessionWatch />
      <AuthDialogProvider>
        <Header />
        <main className="flex-1">{children}</main>
        <Footer />
      </AuthDialogProvider>
      <Toaster />
    </QueryClientProvider>
  );
}
