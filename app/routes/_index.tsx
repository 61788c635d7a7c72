import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Audiences } from "#app/components/landing/audiences.tsx";
import { Closing } from "#app/components/landing/closing.tsx";
import { CrawlerText } from "#app/components/landing/crawler-text.tsx";
import { DayOfAFile } from "#app/components/landing/day-of-a-file.tsx";
import { River } from "#app/components/landing/river.tsx";
import { UploadCard } from "#app/components/upload-card/upload-card.tsx";
import { messagesFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useAuthAddress } from "#app/use-auth-address.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  messages: messagesFor(request, "uploads", "landing", "faq", "expirations"),
});

export default function Home() {
  const say = useMessages("landing");
  useAuthAddress();
  return (
    <>
      <div className="relative isolate overflow-hidden">
        <River />
        <div className="mx-auto grid max-w-6xl gap-x-16 px-4 pt-7 pb-60 sm:px-6 lg:grid-cols-[1fr_27rem] lg:grid-rows-[1fr_auto_auto_1.4fr] lg:pt-16 lg:pb-64">
          <h1 className="font-display text-[2.5rem] leading-[1.02] font-semibold tracking-tight sm:text-6xl lg:row-start-2 xl:text-7xl">
            {say("send")} <br />
            {say("sayWhen")}
          </h1>
          <div id="upload" className="mt-6 scroll-mt-6 lg:col-start-2 lg:row-span-4 lg:row-start-1 lg:mt-0">
            <UploadCard />
          </div>
          <p className="mt-7 max-w-[34rem] text-lg text-muted sm:text-xl lg:row-start-3">
            {say("lead", { size: formatBytes(limitFor("free").fileSizeBytes, say.locale) })}
          </p>
        </div>
      </div>
      <DayOfAFile />
      <Audiences />
      <Closing />
      <CrawlerText />
    </>
  );
}
