import { Link } from "@remix-run/react";
import { Clock, Eye, Layers, Link2, LockKeyhole, MonitorSmartphone, Upload, type LucideIcon } from "lucide-react";
import { FeatureCard } from "#app/components/content/feature-card.tsx";
import { Questions } from "#app/components/questions.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { expirationLabel, EXPIRATIONS } from "#domain/expiry.ts";
import { FAQ } from "#domain/faq.ts";
import { longestExpiry } from "#domain/facts.ts";
import { LARGEST_FILE_BYTES, limitFor, planOf } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

const FEATURES: { title: string; icon: LucideIcon; text: string }[] = [
  {
    title: "Drag-and-drop upload",
    icon: Upload,
    text: `Drop a file on the page, or choose it. Up to ${formatBytes(limitFor("free").fileSizeBytes)} a file for free.`,
  },
  {
    title: "Encrypted transfer and storage",
    icon: LockKeyhole,
    text: "Files are encrypted on their way to us, where they are kept, and on their way to whoever downloads them.",
  },
  {
    title: "Instant shareable links",
    icon: Link2,
    text: "The link is there when the upload begins. Send it right away: whoever opens it sees the file arrive.",
  },
  {
    title: "Custom expiry",
    icon: Clock,
    text: `From ${expirationLabel(EXPIRATIONS[0])} to ${longestExpiry(planOf("free"))} for free, up to ${longestExpiry(planOf("professional"))} on Premium, ${longestExpiry(planOf("ultimate"))} on Ultimate.`,
  },
  {
    title: "Access from any device",
    icon: MonitorSmartphone,
    text: "A browser is all it takes, on a phone as on a desktop. Nothing to install on either side.",
  },
  {
    title: "Chunked uploads for very large files",
    icon: Layers,
    text: `Up to ${formatBytes(LARGEST_FILE_BYTES)}, in pieces. A piece that fails goes again, and only that piece.`,
  },
  {
    title: "In-browser preview",
    icon: Eye,
    text: "Pictures, video, audio, PDF and text can be looked at on the download page before they are downloaded.",
  },
];

export default function Features() {
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <h1 className="max-w-3xl font-display text-4xl font-semibold text-balance sm:text-5xl">
        Everything a file needs on its way
      </h1>
      <p className="mt-4 max-w-prose text-lg text-muted">
        And nothing it needs afterwards: when its time is up, it is gone, for everyone.
      </p>
      <h2 className="sr-only">Features</h2>
      <ul className="mt-10 grid gap-4 sm:grid-cols-2 sm:*:last:col-span-2 lg:grid-cols-3 lg:*:first:col-span-2">
        {FEATURES.map((feature) => (
          <FeatureCard key={feature.title} {...feature} />
        ))}
      </ul>
      <section aria-labelledby="questions" className="mt-16">
        <Questions title="Questions and answers" questions={FAQ} />
        <Link to="/pricing" className={`${buttonClass("quiet")} mt-6`}>
          Compare the plans
        </Link>
      </section>
      <div className="mt-16 rounded-3xl bg-reed px-6 py-12 text-center text-on-reed">
        <h2 className="font-display text-3xl font-semibold text-balance">Your first link is a minute away</h2>
        <p className="mt-2 opacity-85">Choose a file, say how long it lives, send the link.</p>
        <Link
          to="/"
          className="mt-6 inline-flex min-h-11 items-center rounded-xl bg-on-reed px-5 py-2 font-medium text-reed focus-visible:outline-on-reed"
        >
          Start Uploading
        </Link>
      </div>
    </div>
  );
}
