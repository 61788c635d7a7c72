import { useRevalidator } from "@remix-run/react";
import { useContext, useEffect } from "react";
import { DocumentContext } from "#app/shell/document.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { Button } from "#app/ui/button.tsx";

/**
 * A page that did not come. It is asked for again without leaving this one, for an upload may be on its way here: by a
 * button, and by itself once a line that was gone is back.
 */
export function Failed() {
  const t = useMessages("common");
  const { requestId } = useContext(DocumentContext);
  const { revalidate, state } = useRevalidator();
  const online = useOnline();
  useEffect(() => {
    if (state !== "idle") return;
    // Once: a line that comes and goes would have one question interrupt the other.
    addEventListener("online", revalidate, { once: true });
    return () => {
      removeEventListener("online", revalidate);
    };
  }, [revalidate, state]);
  return (
    <div className="mx-auto max-w-xl px-5 py-24 text-center">
      <h1 className="font-display text-4xl font-semibold">{t(online ? "somethingWrong" : "youAreOffline")}</h1>
      <p role="status" className="mt-3 text-muted">
        {t(online ? "pageNotShown" : "pageComesBack")}
      </p>
      <Button className="mt-8" disabled={state === "loading"} onClick={revalidate}>
        {t("tryAgain")}
      </Button>
      {/* The server alone knows it; the browser leaves it as it came. */}
      <p className="mt-6 font-mono text-xs text-muted" suppressHydrationWarning>
        {requestId}
      </p>
    </div>
  );
}
