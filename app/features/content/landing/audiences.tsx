import { useMessages } from "#app/lib/i18n/messages.ts";
import type { Expiration } from "#domain/expiry.ts";
import { LARGEST_FILE_BYTES, limitFor, planOf, type PlanId } from "#domain/plans.ts";
import { formatBytes, GIB, MIB } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";

interface ExampleFile {
  name: "businessesFile" | "photographersFile" | "videographersFile" | "studentsFile";
  sizeBytes: number;
  expiration: Expiration;
  plan: PlanId;
  /** How much of the file's lifetime has passed, in percent. */
  elapsedPercent: number;
}

interface Audience {
  title: "businesses" | "photographers" | "videographers" | "students";
  text(t: Translate<"landing">): string;
  exampleFile: ExampleFile;
}

const AUDIENCES: Audience[] = [
  {
    title: "businesses",
    text: (t) => t("businessesText"),
    exampleFile: {
      name: "businessesFile",
      sizeBytes: 2.4 * MIB,
      expiration: "7d",
      plan: "professional",
      elapsedPercent: 34,
    },
  },
  {
    title: "photographers",
    text: (t) => {
      const { name, limits } = planOf("professional");
      const size = formatBytes(limits.fileSizeBytes, t.locale);
      return t("photographersText", { files: limits.entries, size, plan: name });
    },
    exampleFile: {
      name: "photographersFile",
      sizeBytes: 4.6 * GIB,
      expiration: "30d",
      plan: "professional",
      elapsedPercent: 58,
    },
  },
  {
    title: "videographers",
    text: (t) => {
      const size = formatBytes(LARGEST_FILE_BYTES, t.locale);
      return t("videographersText", { size, plan: planOf("ultimate").name });
    },
    exampleFile: {
      name: "videographersFile",
      sizeBytes: 38 * GIB,
      expiration: "60d",
      plan: "ultimate",
      elapsedPercent: 18,
    },
  },
  {
    title: "students",
    text: (t) => {
      const { fileSizeBytes, monthTransfers } = limitFor("free");
      const size = formatBytes(fileSizeBytes, t.locale);
      return t("studentsText", { plan: planOf("free").name, size, transfers: monthTransfers });
    },
    exampleFile: { name: "studentsFile", sizeBytes: 14 * MIB, expiration: "3d", plan: "free", elapsedPercent: 82 },
  },
];

export function Audiences() {
  const t = useMessages("landing");
  return (
    <section aria-labelledby="audiences" className="mx-auto max-w-6xl px-4 pt-24 sm:px-6 lg:pt-36">
      <h2
        id="audiences"
        className="max-w-3xl font-display text-4xl font-semibold tracking-tight text-balance sm:text-5xl"
      >
        {t("audiences")}
      </h2>
      <div className="mt-10 grid gap-px overflow-hidden rounded-3xl border border-line bg-line md:grid-cols-2 lg:mt-14">
        {AUDIENCES.map(({ title, text, exampleFile }) => (
          <section key={title} aria-label={t(title)} className="flex min-w-0 flex-col gap-8 bg-paper p-6 sm:p-9">
            <div>
              <h3 className="font-display text-2xl font-semibold sm:text-3xl">{t(title)}</h3>
              <p className="mt-2.5 max-w-prose text-muted">{text(t)}</p>
            </div>
            <ExampleFileCard {...exampleFile} />
          </section>
        ))}
      </div>
    </section>
  );
}

function ExampleFileCard({ name, sizeBytes, expiration, plan, elapsedPercent }: ExampleFile) {
  const t = useMessages("landing");
  const tExpiration = useMessages("expirations");
  return (
    <figure className="mt-auto rounded-2xl border border-line bg-surface p-4 shadow-[0_10px_30px_-18px_rgb(0_0_0/.35)] sm:p-5">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate font-medium">{t(name)}</span>
        <span className="shrink-0 text-sm text-muted tabular-nums">{formatBytes(sizeBytes, t.locale)}</span>
      </figcaption>
      <svg viewBox="0 0 400 24" aria-hidden className="my-2 w-full overflow-visible">
        <path d="M4 12h392" className="stroke-line" strokeWidth="4" strokeLinecap="round" />
        <path d={`M4 12h${3.92 * elapsedPercent}`} className="stroke-amber" strokeWidth="4" strokeLinecap="round" />
        <circle cx={4 + 3.92 * elapsedPercent} cy="12" r="9" className="fill-sun stroke-surface" strokeWidth="3" />
      </svg>
      <p className="flex justify-between gap-4 text-sm text-muted">
        <span>{t("goneAfter", { expiration: tExpiration(expiration) })}</span>
        <span>{planOf(plan).name}</span>
      </p>
    </figure>
  );
}
