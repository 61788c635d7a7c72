import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import {
  Clock,
  Eye,
  FolderOpen,
  Inbox,
  KeyRound,
  Layers,
  Link2,
  LockKeyhole,
  MonitorSmartphone,
  ShieldCheck,
  Terminal,
  Upload,
} from "lucide-react";
import { longestExpiryIn, FIRST_QUESTIONS, frequentQuestions } from "#app/features/content/faq.ts";
import { FeatureCard } from "#app/features/content/feature-card.tsx";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnonymousUploads } from "#app/lib/session.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { QuestionList, Questions } from "#app/ui/questions.tsx";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { LARGEST_FILE_BYTES, limitFor, MOST_ENTRIES, planOf } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: loadMessages(request, "features", "faq", "expirations"),
});

/** The features that the product specification names (decision 017). */
const FEATURES = [
  { name: "drop", icon: Upload },
  { name: "encrypted", icon: LockKeyhole },
  { name: "links", icon: Link2 },
  { name: "expiry", icon: Clock },
  { name: "devices", icon: MonitorSmartphone },
  { name: "chunks", icon: Layers },
  { name: "preview", icon: Eye },
] as const;

const MORE_FEATURES = [
  { name: "many", icon: FolderOpen },
  { name: "guards", icon: KeyRound },
  { name: "sealed", icon: ShieldCheck },
  { name: "requests", icon: Inbox },
  { name: "clients", icon: Terminal },
] as const;

export default function Features() {
  const t = useMessages("features");
  const tFaq = useMessages("faq");
  const tExpiration = useMessages("expirations");
  const texts = featureTexts(t, tExpiration);
  const questions = frequentQuestions({ t: tFaq, tExpiration, anonymousUploads: useAnonymousUploads() });
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <h1 className="max-w-3xl font-display text-4xl font-semibold text-balance sm:text-5xl">{t("title")}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{t("lead")}</p>
      <h2 className="sr-only">{t("features")}</h2>
      <ul className="mt-10 grid gap-4 sm:grid-cols-2 sm:*:first:col-span-full lg:grid-cols-3">
        {FEATURES.map(({ name, icon }) => (
          <FeatureCard key={name} icon={icon} title={t(name)} text={texts[name]} />
        ))}
      </ul>
      <h2 className="mt-12 font-display text-2xl font-semibold">{t("moreFeatures")}</h2>
      <ul className="mt-5 grid gap-4 sm:grid-cols-2 sm:*:first:col-span-2 lg:grid-cols-3">
        {MORE_FEATURES.map(({ name, icon }) => (
          <FeatureCard key={name} icon={icon} title={t(name)} text={texts[name]} />
        ))}
      </ul>
      <section aria-labelledby="questions" className="mt-16">
        <Questions title={t("questions")} questions={questions.slice(0, FIRST_QUESTIONS)} />
        <h3 className="mt-10 font-display text-2xl font-semibold">{t("moreQuestions")}</h3>
        <QuestionList questions={questions.slice(FIRST_QUESTIONS)} />
        <Link to="/pricing" className={`${buttonClass("quiet")} mt-6`}>
          {t("comparePlans")}
        </Link>
      </section>
      <div className="mt-16 rounded-3xl bg-reed px-6 py-12 text-center text-on-reed">
        <h2 className="font-display text-3xl font-semibold text-balance">{t("firstLink")}</h2>
        <p className="mt-2 opacity-85">{t("firstLinkText")}</p>
        <Link
          to="/"
          className="mt-6 inline-flex min-h-11 items-center rounded-xl bg-on-reed px-5 py-2 font-medium text-reed focus-visible:outline-on-reed"
        >
          {t("startUploading")}
        </Link>
      </div>
    </div>
  );
}

function featureTexts(t: Translate<"features">, tExpiration: Translate<"expirations">) {
  const expiries = {
    shortest: tExpiration(EXPIRATIONS[0]),
    free: longestExpiryIn(tExpiration, planOf("free")),
    professional: longestExpiryIn(tExpiration, planOf("professional")),
    ultimate: longestExpiryIn(tExpiration, planOf("ultimate")),
    professionalName: planOf("professional").name,
    ultimateName: planOf("ultimate").name,
  };
  return {
    drop: t("dropText", { size: formatBytes(limitFor("free").fileSizeBytes, t.locale) }),
    encrypted: t("encryptedText"),
    links: t("linksText"),
    many: t("manyText", { most: MOST_ENTRIES }),
    guards: t("guardsText"),
    sealed: t("sealedText"),
    expiry: t("expiryText", expiries),
    devices: t("devicesText"),
    chunks: t("chunksText", { largest: formatBytes(LARGEST_FILE_BYTES, t.locale) }),
    preview: t("previewText"),
    requests: t("requestsText"),
    clients: t("clientsText"),
  };
}
