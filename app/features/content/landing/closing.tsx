import { Link } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { PLANS } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { Insect } from "./river.tsx";

/** x, y and radius of each star, in the SVG's units. */
const STARS = [
  [90, 60, 2],
  [210, 130, 1.4],
  [330, 48, 1.6],
  [470, 104, 1.2],
  [690, 40, 1.8],
  [820, 118, 1.3],
  [985, 66, 1.5],
  [1090, 150, 2],
] as const;

/** The call to action, as a night scene in both themes. */
export function Closing() {
  const t = useMessages("landing");
  return (
    <section aria-labelledby="closing" className="night mx-auto mt-24 max-w-6xl px-4 sm:px-6 lg:mt-36">
      <div className="relative isolate overflow-hidden rounded-3xl bg-paper px-6 pt-20 pb-44 text-center text-ink sm:pt-28">
        <svg
          viewBox="0 0 1152 520"
          preserveAspectRatio="xMidYMax slice"
          aria-hidden
          className="absolute inset-0 -z-10 size-full"
        >
          {STARS.map(([x, y, r]) => (
            <circle key={x} cx={x} cy={y} r={r} className="fill-ink" />
          ))}
          <circle cx="576" cy="428" r="46" className="fill-ink" opacity=".92" />
          <path d="M0 428h1152v92H0z" className="fill-water" />
          <path
            d="M530 440h92M546 453h66M522 466h104M556 480h44M540 495h72"
            className="stroke-ink"
            strokeWidth="3"
            strokeLinecap="round"
            opacity=".8"
          />
          <path d="M0 480c192-16 384-16 576 0s384 16 576 0v40H0z" className="fill-water-deep" opacity=".6" />
        </svg>
        <Insect className="absolute bottom-24 left-[24%] w-9 rotate-[10deg] max-sm:hidden" />
        <h2 id="closing" className="font-display text-4xl font-semibold tracking-tight text-balance sm:text-6xl">
          {t("today")} <br className="sm:hidden" />
          {t("tomorrow")}
        </h2>
        <ul className="mt-5 flex flex-wrap justify-center gap-x-8 gap-y-1 text-muted">
          {PLANS.map(({ id, name, limits }) => (
            <li key={id}>{t("planTakes", { plan: name, size: formatBytes(limits.fileSizeBytes, t.locale) })}</li>
          ))}
        </ul>
        <p className="mt-8 flex flex-wrap justify-center gap-3">
          <a
            href="#upload"
            className="inline-flex min-h-12 items-center rounded-xl bg-reed px-6 font-medium text-on-reed hover:bg-reed-strong"
          >
            {t("chooseFile")}
          </a>
          <Link
            to="/pricing"
            className="inline-flex min-h-12 items-center rounded-xl border border-muted px-6 font-medium hover:border-ink"
          >
            {t("comparePlans")}
          </Link>
        </p>
      </div>
    </section>
  );
}
