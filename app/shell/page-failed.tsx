import { useRevalidator } from "@remix-run/react";
import { useContext, useEffect } from "react";
import { DocumentContext } from "#app/shell/document.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { Button } from "#app/ui/button.tsx";

/** Retries without reloading the document, which would end a running upload: by button, and when the browser comes online. */
export function PageFailed() {
  const t = useMessages("common");
  const { requestId } = useContext(DocumentContext);
  const { revalidate, state } = useRevalidator();
  const online = useOnline();
  useEffect(() => {
    if (state !== "idle") return;
    // Once: on an unstable connection each event would cancel the previous retry.
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
      <Button className="mt-8" busy={state === "loading"} onClick={revalidate}>
        {t("tryAgain")}
      </Button>
      {/* Only the server render has it. */}
      <p className="mt-6 font-mono text-xs text-muted" suppressHydrationWarning>
        {requestId}
      </p>
    </div>
  );
}
