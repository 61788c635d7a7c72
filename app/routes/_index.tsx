import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useSignInUrl } from "#app/features/account/sign-in-url.ts";
import { Audiences } from "#app/features/content/landing/audiences.tsx";
import { Closing } from "#app/features/content/landing/closing.tsx";
import { crawlerTexts, type CrawlerTexts } from "#app/features/content/landing/crawler-text.server.ts";
import { DayOfAFile } from "#app/features/content/landing/day-of-a-file.tsx";
import { More } from "#app/features/content/landing/more.tsx";
import { River } from "#app/features/content/landing/river.tsx";
import { UploadCard } from "#app/features/upload/upload-card.tsx";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { isFree, limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request, context }: LoaderFunctionArgs) => ({
  messages: loadMessages(
    request,
    "uploads",
    "guards",
    "sealing",
    "sharing",
    "transferUpload",
    "transfers",
    "landing",
    "expirations",
    "feed",
  ),
  forCrawlers: crawlerTexts(request, context.anonymousUploads),
});

export default function Home() {
  const t = useMessages("landing");
  const { forCrawlers } = useLoaderData<typeof loader>();
  const plan = useCurrentUser()?.planType ?? "free";
  useSignInUrl();
  return (
    <>
      {/* Clipped, not hidden: a box with hidden overflow would hold a sticky row of the card. */}
      <div className="relative isolate overflow-clip">
        <River />
        <div className="mx-auto grid max-w-6xl gap-x-16 px-4 pt-7 pb-60 sm:px-6 lg:grid-cols-[1fr_27rem] lg:grid-rows-[auto_1fr] lg:pt-16 lg:pb-64">
          {/* Aligned to the top, because the upload card grows in use. */}
          <h1 className="font-display text-[2.5rem] leading-[1.02] font-semibold tracking-tight sm:text-6xl lg:mt-20 xl:text-7xl">
            {t("send")} <br />
            {t("sayWhen")}
          </h1>
          <div id="upload" className="mt-6 scroll-mt-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:mt-0">
            <UploadCard />
          </div>
          <p className="mt-7 max-w-[34rem] text-lg text-muted sm:text-xl">
            {t(isFree(plan) ? "lead" : "leadPaid", { size: formatBytes(limitFor(plan).fileSizeBytes, t.locale) })}{" "}
            {t("leadEnd")}
          </p>
        </div>
      </div>
      <DayOfAFile />
      <Audiences />
      <More />
      <Closing />
      <CrawlerText {...forCrawlers} />
    </>
  );
}

/** A hidden summary of the product for search engines and assistants. Repeats only what public pages say. */
function CrawlerText({ about, plans, questions }: CrawlerTexts) {
  return (
    <div hidden>
      <p>{about}</p>
      <ul>
        {plans.map((plan) => (
          <li key={plan}>{plan}</li>
        ))}
      </ul>
      <dl>
        {questions.map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
