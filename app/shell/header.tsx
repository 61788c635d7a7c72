import { Link, NavLink } from "@remix-run/react";
import clsx from "clsx";
import { Menu, X } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, type MouseEvent } from "react";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { useCurrentUser, useLogOut } from "#app/lib/session.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { keeps, loadKeeper } from "./kept.ts";

const MENU_ID = "menu";

export function Header() {
  const t = useMessages("common");
  const { open, toggle, close, choose, nav, button } = useMenu();
  return (
    <header className="relative z-20 border-b border-line bg-paper">
      <nav ref={nav} aria-label={t("mainNavigation")} className="mx-auto flex h-16 max-w-6xl items-center px-4 sm:px-6">
        <Link to="/" className="mr-auto flex items-center gap-2.5 font-display text-xl font-semibold" onClick={close}>
          <Logo className="size-8" />
          {PRODUCT_NAME}
        </Link>
        <button
          ref={button}
          type="button"
          aria-expanded={open}
          aria-controls={MENU_ID}
          className={clsx(buttonClass("bare"), "-mr-2 px-2.5! md:hidden")}
          onClick={toggle}
        >
          {open ? <X aria-hidden /> : <Menu aria-hidden />}
          <span className="sr-only">{t("menu")}</span>
        </button>
        <ul
          id={MENU_ID}
          className={clsx(
            "md:flex md:items-center md:gap-1",
            open
              ? "max-md:absolute max-md:inset-x-0 max-md:top-full max-md:grid max-md:gap-1 max-md:border-y max-md:border-line max-md:bg-paper max-md:p-4 max-md:shadow-xl"
              : "max-md:hidden",
          )}
          onClick={choose}
        >
          <Items />
        </ul>
      </nav>
    </header>
  );
}

/** State of the menu. Escape, a press outside and focus leaving the navigation close the menu. */
function useMenu() {
  const [open, setOpen] = useState(false);
  const nav = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);

  useEffect(() => {
    if (!open) return;
    const listeners = new AbortController();
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !nav.current?.contains(target)) setOpen(false);
    };
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("pointerdown", closeOutside, { signal: listeners.signal });
    addEventListener("focusin", closeOutside, { signal: listeners.signal });
    addEventListener("keydown", closeOnEscape, { signal: listeners.signal });
    return () => listeners.abort();
  }, [open]);

  const toggle = () => setOpen(!open);
  const choose = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    close();
    // A dialog that is closed returns the focus to the element that had it when the dialog opened. The chosen item of
    // the menu is hidden when the dialog closes, so the menu's button gets the focus first.
    const item = target instanceof Element ? target.closest("button") : null;
    if (item && currentTarget.contains(item)) button.current?.focus();
  };
  return { open, toggle, close, choose, nav, button };
}

function Items() {
  const user = useCurrentUser();
  const t = useMessages("common");
  return (
    <>
      <Item to="/">{t("home")}</Item>
      <Item to="/pricing">{t("pricing")}</Item>
      {user ? <SignedIn /> : <SignedOut />}
    </>
  );
}

function Item({ to, children }: { to: string; children: string }) {
  const online = useOnline();
  return (
    <li>
      <NavLink
        to={to}
        prefetch={online ? "intent" : "none"}
        end={to === "/"}
        className={({ isActive }) =>
          clsx(
            "flex min-h-11 items-center rounded-xl px-4 font-medium hover:bg-sunken",
            isActive && "bg-sunken text-reed underline decoration-amber decoration-2 underline-offset-8",
          )
        }
      >
        {children}
      </NavLink>
    </li>
  );
}

const ForgetLinks = lazy(async () => (await loadKeeper()).loadForgetLinks());

function SignedIn() {
  const logOut = useLogOut();
  const [isAsking, setAsking] = useState(false);
  const t = useMessages("common");
  return (
    <>
      <Item to="/dashboard">{t("dashboard")}</Item>
      <Item to="/account">{t("account")}</Item>
      <li>
        <Button
          look="bare"
          className="max-md:w-full max-md:justify-start!"
          onClick={() => {
            if (keeps("links")) setAsking(true);
            else void logOut();
          }}
        >
          {t("logOut")}
        </Button>
        {isAsking && (
          <Suspense>
            <ForgetLinks onLogOut={() => void logOut()} onClose={() => setAsking(false)} />
          </Suspense>
        )}
      </li>
    </>
  );
}

function SignedOut() {
  const openAuth = useAuthDialog();
  const t = useMessages("common");
  return (
    <>
      <li>
        <Button look="bare" className="max-md:w-full max-md:justify-start!" onClick={() => openAuth({ tab: "login" })}>
          {t("logIn")}
        </Button>
      </li>
      <li className="max-md:mt-2">
        <Button className="max-md:w-full" onClick={() => openAuth({ tab: "register" })}>
          {t("signUp")}
        </Button>
      </li>
    </>
  );
}
