import { RemixBrowser } from "@remix-run/react";
import { setNonce } from "get-nonce";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";

// Dialogs insert styles, which need the nonce. Browsers hide the nonce's attribute, but not the property.
setNonce(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");

window.beginHydration?.();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
