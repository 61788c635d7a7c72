import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { Clock, Eye, Layers, Link2, LockKeyhole, MonitorSmartphone, Upload } from "lucide-react";
import { FeatureCard } from "#app/components/content/feature-card.tsx";
import { Questions } from "#app/components/questions.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { longestExpiryIn } from "#app/expirations.ts";
import { frequentQuestions } from "#app/faq.ts";
import { messagesFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useAnonymousUploads } from "#app/session.ts";
import { EXPIRATIONS } from "#domain/expiry.ts";
import { LARGEST_FILE_BYTES, limitFor, planOf } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: messagesFor(request, "features", "faq", "expirations"),
});

const FEATURES = [
  { name: "drop", icon: Upload },
  { name: "encrypted", icon: LockKeyhole },
  { name: "links", icon: Link2 },
  { name: "expiry", icon: Clock },
  { name: "devices", icon: MonitorSmartphone },
  { name: "chunks", icon: Layers },
  { name: "preview", icon: Eye },
] as const;

export default function Features() {
  const say = useMessages("features");
  const sayQuestions = useMessages("faq");
  const sayExpiration = useMessages("expirations");
  const texts = textsIn(say, sayExpiration);
  const questions = frequentQuestions({ say: sayQuestions, sayExpiration, anonymousUploads: useAnonymousUploads() });
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <h1 className="max-w-3xl font-display text-4xl font-semibold text-balance sm:text-5xl">{say("title")}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{say("lead")}</p>
      <h2 className="sr-only">{say("features")}</h2>
      <ul className="mt-10 grid gap-4 sm:grid-cols-2 sm:*:last:col-span-2 lg:grid-cols-3 lg:*:first:col-span-2">
        {FEATURES.map(({ name, icon }) => (
          <FeatureCard key={name} icon={icon} title={say(name)} text={texts[name]} />
        ))}
      </ul>
      <section aria-labelledby="questions" className="mt-16">
        <Questions title={say("questions")} questions={questions} />
        <Link to="/pricing" className={`${buttonClass("quiet")} mt-6`}>
          {say("comparePlans")}
        </Link>
      </section>
      <div className="mt-16 rounded-3xl bg-reed px-6 py-12 text-center text-on-reed">
        <h2 className="font-display text-3xl font-semibold text-balance">{say("firstLink")}</h2>
        <p className="mt-2 opacity-85">{say("firstLinkText")}</p>
        <Link
          to="/"
          className="mt-6 inline-flex min-h-11 items-center rounded-xl bg-on-reed px-5 py-2 font-medium text-reed focus-visible:outline-on-reed"
        >
          {say("startUploading")}
        </Link>
      </div>
    </div>
  );
}

function textsIn(say: Translate<"features">, sayExpiration: Translate<"expirations">) {
  const expiries = {
    shortest: sayExpiration(EXPIRATIONS[0]),
    free: longestExpiryIn(sayExpiration, planOf("free")),
    professional: longestExpiryIn(sayExpiration, planOf("professional")),
    ultimate: longestExpiryIn(sayExpiration, planOf("ultimate")),
    professionalName: planOf("professional").name,
    ultimateName: planOf("ultimate").name,
  };
  return {
    drop: say("dropText", { size: formatBytes(limitFor("free").fileSizeBytes, say.locale) }),
    encrypted: say("encryptedText"),
    links: say("linksText"),
    expiry: say("expiryText", expiries),
    devices: say("devicesText"),
    chunks: say("chunksText", { largest: formatBytes(LARGEST_FILE_BYTES, say.locale) }),
    preview: say("previewText"),
  };
}
