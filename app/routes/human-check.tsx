import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { TitleCard } from "#app/ui/card.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { ShieldCheck } from "lucide-react";

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

interface Turnstile {
  render(element: HTMLElement, options: { sitekey: string; callback(token: string): void }): void;
}

/** The page that shows Turnstile, and gives its token to the page that asked for it. */
export const loader = ({ request, context }: LoaderFunctionArgs) => {
  const siteKey = context.turnstileSiteKey;
  if (siteKey === null) throw new Response(null, { status: 404 });
  return { siteKey, title: requestTranslator(request, "common")("humanTitle") };
};

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? ""} · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export default function HumanCheck() {
  const t = useMessages("common");
  const { siteKey } = useLoaderData<typeof loader>();
  const place = useRef<HTMLDivElement>(null);
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.onload = () => {
      const { turnstile } = window as typeof window & { turnstile?: Turnstile };
      if (!place.current) return;
      turnstile?.render(place.current, {
        sitekey: siteKey,
        callback: (token) => {
          new BroadcastChannel("human-check").postMessage(token);
          setIsDone(true);
          window.close();
        },
      });
    };
    document.head.appendChild(script);
    return () => {
      script.remove();
    };
  }, [siteKey]);
  return (
    <div className="mx-auto max-w-xl px-4 py-10 sm:px-6 lg:py-20">
      <TitleCard icon={ShieldCheck} title={t("humanTitle")}>
        <p role="status" className="mt-2 text-muted">
          {t(isDone ? "humanDone" : "humanPage")}
        </p>
        <div ref={place} className="mt-5 flex min-h-16 justify-center" />
      </TitleCard>
    </div>
  );
}
