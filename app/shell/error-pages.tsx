import { useRevalidator, Link, useLocation, useNavigate } from "@remix-run/react";
import { useContext, useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { DocumentContext } from "./document.ts";

/**
 * Retries on a click, or when the browser is online again. Never reloads the document, which would end a running
 * upload.
 */
export function PageFailed() {
  const t = useMessages("common");
  const { requestId, failure } = useContext(DocumentContext);
  const { revalidate, state } = useRevalidator();
  const online = useOnline();
  useEffect(() => {
    if (state !== "idle") return;
    // `once`, because on an unstable connection each `online` event would cancel the retry of the previous event.
    addEventListener("online", revalidate, { once: true });
    return () => removeEventListener("online", revalidate);
  }, [revalidate, state]);
  return (
    <div className="mx-auto max-w-xl px-5 py-24 text-center">
      <h1 className="font-display text-4xl font-semibold">{t(online ? "somethingWrong" : "youAreOffline")}</h1>
      {/*
        Only the server's HTML says why the page failed and has a request id, so the server's text may differ from the
        browser's.
      */}
      <p role="status" className="mt-3 text-muted" suppressHydrationWarning>
        {failure ?? t(online ? "pageNotShown" : "pageComesBack")}
      </p>
      <Button className="mt-8" busy={state === "loading"} onClick={revalidate}>
        {t("tryAgain")}
      </Button>
      <p className="mt-6 font-mono text-xs text-muted" suppressHydrationWarning>
        {requestId}
      </p>
    </div>
  );
}

const LINKS = [
  ["/features", "features"],
  ["/pricing", "pricing"],
  ["/contact", "contact"],
] as const;

export function NotFound() {
  const t = useMessages("common");
  const { pathname, search } = useLocation();
  const origin = useRootData()?.origin ?? "";
  const navigate = useNavigate();
  return (
    <div className="mx-auto max-w-xl px-5 py-20 text-center">
      <p aria-hidden className="font-display text-7xl font-semibold text-amber-ink">
        404
      </p>
      <h1 className="mt-4 font-display text-4xl font-semibold">{t("pageNotFound")}</h1>
      <p className="mt-3 text-muted">{t("nothingHere")}</p>
      <p className="mt-2 rounded-xl bg-sunken px-4 py-2.5 font-mono text-sm break-all">{origin + pathname + search}</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/" className={buttonClass()}>
          {t("goHome")}
        </Link>
        <Button
          look="quiet"
          onClick={() => {
            // A new tab has no history to go back to.
            if (window.history.length > 1) navigate(-1);
            else navigate("/");
          }}
        >
          {t("goBack")}
        </Button>
      </div>
      <p className="mt-10 text-sm text-muted">{t("lookingFor")}</p>
      <ul className="mt-2 flex flex-wrap justify-center">
        {LINKS.map(([to, label]) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-11 items-center px-4 font-medium text-reed underline underline-offset-4"
            >
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
