import { expirationLabel, type Expiration } from "#domain/expiry.ts";
import { LARGEST_FILE_BYTES, limitFor, planOf, type PlanId } from "#domain/plans.ts";
import { formatBytes, GIB, MIB } from "#domain/units.ts";

interface Slip {
  name: string;
  sizeBytes: number;
  expiration: Expiration;
  plan: PlanId;
  /** How much of its time is over, percent. */
  passed: number;
}

const AUDIENCES: { title: string; text: string; slip: Slip }[] = [
  {
    title: "For businesses",
    text: "Offers, contracts and board papers leave with a date on them. When it has passed the link is dead for everyone, and no old attachment waits in anybody’s inbox.",
    slip: { name: "Offer 2114, signed.pdf", sizeBytes: 2.4 * MIB, expiration: "7d", plan: "professional", passed: 34 },
  },
  {
    title: "For photographers",
    text: `The whole selection at full size, up to ${formatBytes(limitFor("professional").fileSizeBytes)} in one file on ${planOf("professional").name}. A single picture is shown before it is downloaded, on a phone as well.`,
    slip: { name: "Wedding, selects.zip", sizeBytes: 4.6 * GIB, expiration: "30d", plan: "professional", passed: 58 },
  },
  {
    title: "For videographers",
    text: `Cuts of up to ${formatBytes(LARGEST_FILE_BYTES)} on ${planOf("ultimate").name}. If the line breaks at ninety percent, the upload goes on from ninety percent: today, or tomorrow from another device.`,
    slip: { name: "Rough cut 4, graded.mov", sizeBytes: 38 * GIB, expiration: "60d", plan: "ultimate", passed: 18 },
  },
  {
    title: "For students",
    text: `Hand in a thesis, pass on a recording. Free, up to ${formatBytes(limitFor("free").fileSizeBytes)} a file and ${limitFor("free").monthTransfers} files a month, with nothing to install for anybody.`,
    slip: { name: "Thesis, final final.pdf", sizeBytes: 14 * MIB, expiration: "3d", plan: "free", passed: 82 },
  },
];

/** Who sends what, and for how long. */
export function Audiences() {
  return (
    <section aria-labelledby="audiences" className="mx-auto max-w-6xl px-4 pt-24 sm:px-6 lg:pt-36">
      <h2
        id="audiences"
        className="max-w-3xl font-display text-4xl font-semibold tracking-tight text-balance sm:text-5xl"
      >
        For work that has to arrive, and then has to go
      </h2>
      <div className="mt-10 grid gap-px overflow-hidden rounded-3xl border border-line bg-line md:grid-cols-2 lg:mt-14">
        {AUDIENCES.map(({ title, text, slip }) => (
          <section key={title} aria-label={title} className="flex flex-col gap-8 bg-paper p-6 sm:p-9">
            <div>
              <h3 className="font-display text-2xl font-semibold sm:text-3xl">{title}</h3>
              <p className="mt-2.5 max-w-prose text-muted">{text}</p>
            </div>
            <FileSlip {...slip} />
          </section>
        ))}
      </div>
    </section>
  );
}

/** A file as it could be under way, with its line of life. */
function FileSlip({ name, sizeBytes, expiration, plan, passed }: Slip) {
  return (
    <figure className="mt-auto rounded-2xl border border-line bg-surface p-4 shadow-[0_10px_30px_-18px_rgb(0_0_0/.35)] sm:p-5">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 truncate font-medium">{name}</span>
        <span className="shrink-0 text-sm text-muted tabular-nums">{formatBytes(sizeBytes)}</span>
      </figcaption>
      <svg viewBox="0 0 400 24" aria-hidden className="my-2 w-full overflow-visible">
        <path d="M4 12h392" className="stroke-line" strokeWidth="4" strokeLinecap="round" />
        <path d={`M4 12h${3.92 * passed}`} className="stroke-amber" strokeWidth="4" strokeLinecap="round" />
        <circle cx={4 + 3.92 * passed} cy="12" r="9" className="fill-sun stroke-surface" strokeWidth="3" />
      </svg>
      <p className="flex justify-between gap-4 text-sm text-muted">
        <span>Gone after {expirationLabel(expiration)}</span>
        <span>{planOf(plan).name}</span>
      </p>
    </figure>
  );
}
