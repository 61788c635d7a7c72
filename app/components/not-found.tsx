import { Link, useLocation } from "@remix-run/react";
import { buttonClass } from "./ui/button.tsx";

export function NotFound() {
  const { pathname } = useLocation();
  return (
    <div className="mx-auto max-w-xl px-5 py-24 text-center">
      <h1 className="font-display text-4xl font-semibold">Page Not Found</h1>
      <p className="mt-3 break-all text-muted">There is nothing at {pathname}.</p>
      <Link to="/" className={`${buttonClass()} mt-8`}>
        Go Home
      </Link>
    </div>
  );
}
