import { Link } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { MOST_ENTRIES } from "#domain/plans.ts";

const TILES = [
  ["folders", "foldersText"],
  ["protection", "protectionText"],
  ["encryption", "encryptionText"],
  ["requests", "requestsText"],
] as const;

const TILE = "min-w-0 bg-paper p-6 sm:p-9";
const TITLE = "font-display text-2xl font-semibold";

/** The section about the protection of links, and about ways to send without a browser. */
export function More() {
  const t = useMessages("landing");
  const origin = useRootData()?.origin ?? "";
  return (
    <section aria-labelledby="more" className="mx-auto max-w-6xl px-4 pt-24 sm:px-6 lg:pt-36">
      <h2 id="more" className="max-w-3xl font-display text-4xl font-semibold tracking-tight text-balance sm:text-5xl">
        {t("more")}
      </h2>
      <div className="mt-10 grid gap-px overflow-hidden rounded-3xl border border-line bg-line lg:mt-14 lg:grid-cols-3">
        {TILES.map(([title, text]) => (
          <div key={title} className={TILE}>
            <h3 className={TITLE}>{t(title)}</h3>
            <p className="mt-2.5 max-w-prose text-muted">{t(text, { files: MOST_ENTRIES })}</p>
          </div>
        ))}
        <div className={`${TILE} lg:col-span-2`}>
          <h3 className={TITLE}>{t("clients")}</h3>
          <p className="mt-2.5 max-w-prose text-muted">{t("clientsText")}</p>
          <Link to="/developers" className="mt-2 inline-flex min-h-11 items-center font-medium text-reed underline">
            {t("forDevelopers")}
          </Link>
          <pre className="night mt-4 min-w-0 rounded-2xl bg-paper p-5 text-sm leading-loose wrap-anywhere whitespace-pre-wrap text-ink sm:p-6">
            <span className="text-muted">$ </span>curl -u :$MAYFLY_KEY -T film.mov {origin}/{"\n"}
            <span className="text-amber-ink">{origin}/download/q7Rk2vXw9TzL4mNc8YpBsA</span>
          </pre>
        </div>
      </div>
    </section>
  );
}
