import { RemixBrowser } from "@remix-run/react";
import { setNonce } from "get-nonce";
import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";

// Dialogs insert `<style>` elements, which need the nonce. Browsers hide the value of the attribute `nonce` from
// scripts, but not the value of the property `nonce`.
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
