import { Link } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { Logo } from "#app/ui/logo.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { ThemeSwitch } from "./theme.tsx";

const LINKS = [
  ["/features", "features"],
  ["/pricing", "pricing"],
  ["/developers", "developers"],
  ["/about", "about"],
  ["/contact", "contactUs"],
  ["/privacy", "privacy"],
  ["/terms", "terms"],
] as const;

export function Footer() {
  const t = useMessages("common");
  const online = useOnline();
  const release = useRootData()?.release;
  return (
    <footer className="mt-24 border-t border-line">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-10 sm:px-6 md:grid-cols-[1fr_auto] md:items-start">
        <div>
          <p className="flex items-center gap-2.5 font-display text-xl font-semibold">
            <Logo className="size-8" />
            {PRODUCT_NAME}
          </p>
          <p className="mt-2 text-muted">{t("tagline")}.</p>
        </div>
        <nav aria-label={t("footerNavigation")} className="-mx-2 grid grid-cols-2 sm:grid-cols-4 md:gap-x-4">
          {LINKS.map(([to, label]) => (
            <Link
              key={to}
              to={to}
              prefetch={online ? "intent" : "none"}
              className="flex min-h-11 items-center px-2 text-muted underline-offset-4 hover:text-ink hover:underline"
            >
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-6 md:col-span-2">
          <p className="-ml-2 flex items-center text-sm text-muted">
            <Link
              to="/admin"
              aria-label={t("administration")}
              className="grid min-h-11 min-w-8 place-items-center hover:text-ink"
            >
              ©
            </Link>
            {PRODUCT_NAME}
            {release && (
              <a href="/release.json" className="ml-2 grid min-h-11 place-items-center px-2 hover:text-ink">
                {t("release", { id: release })}
              </a>
            )}
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <LanguageSwitch />
            <ThemeSwitch />
          </div>
        </div>
      </div>
    </footer>
  );
}
