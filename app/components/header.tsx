import { Link, NavLink } from "@remix-run/react";
import clsx from "clsx";
import { useCurrentUser, useLogOut } from "#app/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { useAuthDialog } from "./auth-dialog-context.ts";
import { Mark } from "./mark.tsx";
import { Button } from "./ui/button.tsx";

export function Header() {
  const user = useCurrentUser();
  return (
    <header className="border-b border-line">
      <nav aria-label="Main" className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-4 sm:px-6">
        <Link to="/" className="mr-auto flex items-center gap-2.5 font-display text-xl font-semibold">
          <Mark className="size-8" />
          <span className="max-[25rem]:sr-only">{PRODUCT_NAME}</span>
        </Link>
        {user ? <SignedIn /> : <SignedOut />}
      </nav>
    </header>
  );
}

function linkClass({ isActive }: { isActive: boolean }): string {
  return clsx(
    "flex min-h-11 items-center rounded-xl px-2 font-medium whitespace-nowrap hover:bg-sunken sm:px-4",
    isActive && "bg-sunken",
  );
}

function SignedIn() {
  const logOut = useLogOut();
  return (
    <>
      <NavLink to="/dashboard" className={linkClass}>
        Dashboard
      </NavLink>
      <NavLink to="/account" className={linkClass}>
        Account
      </NavLink>
      <Button look="bare" className="px-2! whitespace-nowrap sm:px-4!" onClick={() => void logOut()}>
        Log Out
      </Button>
    </>
  );
}

function SignedOut() {
  const openAuth = useAuthDialog();
  return (
    <>
      <Button
        look="bare"
        onClick={() => {
          openAuth({ tab: "login" });
        }}
      >
        Log In
      </Button>
      <Button
        onClick={() => {
          openAuth({ tab: "register" });
        }}
      >
        Sign Up
      </Button>
    </>
  );
}
