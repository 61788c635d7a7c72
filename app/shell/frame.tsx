import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { buttonClass } from "#app/ui/button.tsx";

export const MAIN_ID = "main";

/**
 * A link past the navigation for the keyboard (WCAG 2.4.1). Hidden without scripts: a link to a fragment would replace
 * the key in the address of a sealed link.
 */
export function SkipLink() {
  const t = useMessages("common");
  const hydrated = useHydrated();
  if (!hydrated) return null;
  return (
    <a
      href={`#${MAIN_ID}`}
      className={`${buttonClass()} fixed top-2 left-2 z-50 -translate-y-24 focus:translate-y-0`}
      onClick={(event) => {
        event.preventDefault();
        focusMain();
      }}
    >
      {t("skipToContent")}
    </a>
  );
}

/** The path last announced. Kept outside React, because an error page replaces all components of the frame. */
let lastPath: string | null = null;

/**
 * Announces the new title after each navigation within the document, as browsers do for new documents. Focuses the new
 * content if the clicked link has disappeared.
 */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const isFirst = lastPath === null;
    if (lastPath === pathname) return;
    lastPath = pathname;
    if (isFirst) return;
    // React does not know when the document's title changes.
    if (said.current) said.current.textContent = document.title;
    if (document.activeElement === document.body) focusMain();
  }, [pathname]);
  return <p ref={said} aria-live="polite" className="sr-only" />;
}

/** Makes the content focusable only until blur; otherwise each click on a text would focus the content. */
function focusMain(): void {
  const main = document.getElementById(MAIN_ID);
  if (!main) return;
  main.tabIndex = -1;
  main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  main.focus({ preventScroll: true });
}

/** A bar along the top of the window while the next page loads. Hidden from screen readers; see `PageAnnouncer`. */
export function LoadingBar() {
  const { state } = useNavigation();
  return state === "idle" ? null : <div aria-hidden className="loading-bar" />;
}

/** A notice in the frame, because the toasts' script may not have loaded before the connection was lost. */
export function OfflineNotice() {
  const t = useMessages("common");
  const online = useOnline();
  return (
    <div role="status" className="sticky top-0 z-10">
      {!online && (
        <p className="border-b border-amber bg-sunken px-4 py-2.5 text-center text-sm">{t("offlineNotice")}</p>
      )}
    </div>
  );
}
