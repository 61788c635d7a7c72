import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { buttonClass } from "#app/ui/button.tsx";

export const MAIN_ID = "main";

/**
 * The first stop of the keyboard, shown only then: leads past the navigation (WCAG 2.4.1). Only with scripts, because
 * the fragment of an encrypted link's address is its key and must stay.
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

/** An error page replaces the whole frame, so no component can remember it. */
let lastPath: string | null = null;

/**
 * A browser says the title of a new document; here it is said after each navigation within the document. If the link
 * that led here is gone with its page, the keyboard goes on at the new content.
 */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const isFirst = lastPath === null;
    if (lastPath === pathname) return;
    lastPath = pathname;
    if (isFirst) return;
    // The title is the document's, so React does not know when it changes.
    if (said.current) said.current.textContent = document.title;
    if (document.activeElement === document.body) focusMain();
  }, [pathname]);
  return <p ref={said} aria-live="polite" className="sr-only" />;
}

/** Focusable for the moment only: otherwise each click on a text would move the focus here. */
function focusMain(): void {
  const main = document.getElementById(MAIN_ID);
  if (!main) return;
  main.tabIndex = -1;
  main.addEventListener("blur", () => main.removeAttribute("tabindex"), { once: true });
  main.focus({ preventScroll: true });
}

/** Along the top of the window while the next page loads. Its text follows: `PageAnnouncer` says the new title. */
export function LoadingBar() {
  const { state } = useNavigation();
  return state === "idle" ? null : <div aria-hidden className="loading-bar" />;
}

/** Part of the frame, because toasts may not have been loaded yet when the line breaks. */
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
